import { readError } from '../analysis/failures/error-text.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import {
  restoredList,
  restoredNumber,
  restoredRecord,
  restoredText,
} from '../analysis/restored.ts';
import type { Failure, Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { integer } from '../options.ts';
import { advance, type Count, type FailureRow, restoredRow, rowSnapshot } from './failure-row.ts';

/** Options of {@link ExecutionStormDetector}. */
export interface ExecutionStormOptions {
  /**
   * How many failures of one category in a row trip.
   * @defaultValue 5
   */
  readonly limit?: number;
  /**
   * How many failures in a row trip if the error is the very same each time. At most `limit`.
   * @defaultValue 3
   */
  readonly sameErrorLimit?: number;
}

const MAX_ROWS = 64;

/**
 * Trips when code or a tool fails the same way again and again.
 *
 * A success of the same thing begins anew, and so does a falling number of failures. Steps that were turned away before
 * they ran do not count: {@link RateDetector} watches those.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new ExecutionStormDetector();
 * const run = (line: number) =>
 *   detector.observe(
 *     analyzer.observe({
 *       kind: 'execution', at: line, agent: 'executor', language: 'python', code: `x${line} = 1`,
 *       exitCode: 1, output: `File "main.py", line ${line}\nKeyError: 'revenue'`,
 *     }),
 *   )?.evidence.subject;
 * run(1); // => undefined
 * run(2); // => undefined
 * run(3); // => 'KeyError'
 * ```
 */
export class ExecutionStormDetector implements Detector {
  readonly kind = 'execution-storm';
  readonly #limit: number;
  readonly #sameErrorLimit: number;
  readonly #alikeLimit: number;
  readonly #byTarget: RecentMap<string, FailureRow> = new RecentMap(MAX_ROWS);
  /** A command that keeps failing alike is one, even if others succeed in between. */
  readonly #byCommand: RecentMap<number, FailureRow> = new RecentMap(MAX_ROWS);

  /** How much has been done so far, in calls, runs and hand-overs. */
  #deeds = 0;

  /** @throws {@link InvalidOptionError} */
  constructor({ limit = 5, sameErrorLimit = Math.min(3, limit) }: ExecutionStormOptions = {}) {
    this.#limit = integer('executionStorm.limit', limit, 1, 1000);
    this.#sameErrorLimit = integer('executionStorm.sameErrorLimit', sameErrorLimit, 1, limit);
    this.#alikeLimit = Math.ceil((limit + sameErrorLimit) / 2);
  }

  observe(step: Step): Finding | undefined {
    const { isPerson, success, signal, index, deed } = step;
    if (isPerson) this.reset();
    if (deed !== undefined && deed.type !== 'said') this.#deeds++;
    const failure = step.failure ?? this.#hidden(step);
    if (success !== undefined && failure === undefined) {
      this.#byTarget.delete(success.target);
      this.#byCommand.delete(success.command);
    }
    if (failure === undefined || failure.isRefusal) return undefined;
    if (signal.kind === 'message' && this.#isEcho(failure, index)) return undefined;
    const row = advance(this.#byTarget.get(failure.target), failure, index, this.#deeds);
    this.#byTarget.set(failure.target, row);
    const repeated = this.#repeat(failure, index);
    const isLonger = (repeated?.ofSignature.failures ?? 0) > row.ofSignature.failures;
    const same = repeated !== undefined && isLonger ? repeated : row;
    if (same.ofSignature.failures >= this.#sameErrorLimit) {
      return this.#found(signal.agent, same, same.ofSignature, this.#sameErrorLimit);
    }
    if (row.ofShape.weight >= this.#alikeLimit) {
      return this.#found(signal.agent, row, row.ofShape, this.#alikeLimit);
    }
    if (row.ofCategory.weight >= this.#limit) {
      return this.#found(signal.agent, row, row.ofCategory, this.#limit);
    }
    return undefined;
  }

  reset(): void {
    this.#byTarget.clear();
    this.#byCommand.clear();
    this.#deeds = 0;
  }

  snapshot(): JsonValue {
    return {
      deeds: this.#deeds,
      byTarget: this.#byTarget.entries().map(([key, row]) => [key, rowSnapshot(row)]),
      byCommand: this.#byCommand.entries().map(([key, row]) => [key, rowSnapshot(row)]),
    };
  }

  restore(snapshot: JsonValue): void {
    const { deeds, byTarget, byCommand } = restoredRecord('execution-storm', snapshot);
    this.reset();
    this.#deeds = restoredNumber('execution-storm.deeds', deeds);
    const targets = 'execution-storm.byTarget';
    for (const entry of restoredList(targets, byTarget)) {
      const [key, row] = restoredList(targets, entry);
      this.#byTarget.set(restoredText(targets, key), restoredRow(targets, row));
    }
    const commands = 'execution-storm.byCommand';
    for (const entry of restoredList(commands, byCommand)) {
      const [key, row] = restoredList(commands, entry);
      this.#byCommand.set(restoredNumber(commands, key), restoredRow(commands, row));
    }
  }

  /** The failure before, if code now ends well and prints the very same error. */
  #hidden({ success, signal }: Step): Failure | undefined {
    if (success === undefined || signal.kind !== 'execution') return undefined;
    const before = this.#byTarget.get(success.target)?.failure;
    if (before === undefined || signal.output.trim() === '') return undefined;
    const { signature } = readError(signal.output, undefined, signal.code);
    return signature === before.signature ? { ...before, command: success.command } : undefined;
  }

  /** Whether a message only passes on the failure that was told just before. */
  #isEcho({ target, signature }: Failure, index: number): boolean {
    const row = this.#byTarget.get(target);
    return row?.failure.signature === signature && row.indices.at(-1) === index - 1;
  }

  #repeat(failure: Failure, index: number): FailureRow | undefined {
    if (failure.command === 0) return undefined;
    const row = advance(this.#byCommand.get(failure.command), failure, index, this.#deeds);
    this.#byCommand.set(failure.command, row);
    return row;
  }

  #found(
    agent: string,
    { failure, indices }: FailureRow,
    { failures: count }: Count,
    limit: number,
  ): Finding {
    return {
      level: 'trip',
      kind: this.kind,
      reason: `${failure.target} failed ${count} times in a row with ${failure.category}`,
      evidence: {
        agents: [agent],
        indices: indices.slice(-count),
        count,
        limit,
        subject: failure.category,
      },
    };
  }
}
