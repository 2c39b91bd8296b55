import { readError } from '../analysis/error-text.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import {
  restoredList,
  restoredNumber,
  restoredNumbers,
  restoredRecord,
  restoredText,
} from '../analysis/restored.ts';
import type { Failure, Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { integer } from '../options.ts';

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

/** Failures in a row of one target, or of one command. */
interface Row {
  readonly failure: Failure;
  readonly ofCategory: number;
  readonly ofShape: number;
  readonly ofSignature: number;
  readonly indices: readonly number[];
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
  readonly #byTarget: RecentMap<string, Row> = new RecentMap(MAX_ROWS);
  /** A command that keeps failing alike is one, even if others succeed in between. */
  readonly #byCommand: RecentMap<number, Row> = new RecentMap(MAX_ROWS);

  /** @throws {@link InvalidOptionError} */
  constructor({ limit = 5, sameErrorLimit = Math.min(3, limit) }: ExecutionStormOptions = {}) {
    this.#limit = integer('executionStorm.limit', limit, 1, 1000);
    this.#sameErrorLimit = integer('executionStorm.sameErrorLimit', sameErrorLimit, 1, limit);
    this.#alikeLimit = Math.ceil((limit + sameErrorLimit) / 2);
  }

  observe(step: Step): Finding | undefined {
    const { isPerson, success, signal, index } = step;
    if (isPerson) this.reset();
    const failure = step.failure ?? this.#hidden(step);
    if (success !== undefined && failure === undefined) {
      this.#byTarget.delete(success.target);
      this.#byCommand.delete(success.command);
    }
    if (failure === undefined || failure.isRefusal) return undefined;
    if (signal.kind === 'message' && this.#isEcho(failure, index)) return undefined;
    const row = advance(this.#byTarget.get(failure.target), failure, index);
    this.#byTarget.set(failure.target, row);
    const repeated = this.#repeat(failure, index);
    const same = repeated !== undefined && repeated.ofSignature > row.ofSignature ? repeated : row;
    if (same.ofSignature >= this.#sameErrorLimit) {
      return this.#found(signal.agent, same, same.ofSignature, this.#sameErrorLimit);
    }
    if (row.ofShape >= this.#alikeLimit) {
      return this.#found(signal.agent, row, row.ofShape, this.#alikeLimit);
    }
    if (row.ofCategory >= this.#limit) {
      return this.#found(signal.agent, row, row.ofCategory, this.#limit);
    }
    return undefined;
  }

  reset(): void {
    this.#byTarget.clear();
    this.#byCommand.clear();
  }

  snapshot(): JsonValue {
    return {
      byTarget: this.#byTarget.entries().map(([key, row]) => [key, toJson(row)]),
      byCommand: this.#byCommand.entries().map(([key, row]) => [key, toJson(row)]),
    };
  }

  restore(snapshot: JsonValue): void {
    const { byTarget, byCommand } = restoredRecord('execution-storm', snapshot);
    this.reset();
    for (const entry of restoredList('execution-storm.byTarget', byTarget)) {
      const [key, row] = restoredList('execution-storm.byTarget', entry);
      this.#byTarget.set(restoredText('execution-storm.byTarget', key), fromJson(row));
    }
    for (const entry of restoredList('execution-storm.byCommand', byCommand)) {
      const [key, row] = restoredList('execution-storm.byCommand', entry);
      this.#byCommand.set(restoredNumber('execution-storm.byCommand', key), fromJson(row));
    }
  }

  /** The failure before, if code now ends well and prints the very same error. */
  #hidden({ success, signal }: Step): Failure | undefined {
    if (success === undefined || signal.kind !== 'execution') return undefined;
    const before = this.#byTarget.get(success.target)?.failure;
    if (before === undefined || signal.output.trim() === '') return undefined;
    const { signature } = readError(signal.output, undefined);
    return signature === before.signature ? { ...before, command: success.command } : undefined;
  }

  /** Whether a message only passes on the failure that was told just before. */
  #isEcho({ target, signature }: Failure, index: number): boolean {
    const row = this.#byTarget.get(target);
    return row?.failure.signature === signature && row.indices.at(-1) === index - 1;
  }

  #repeat(failure: Failure, index: number): Row | undefined {
    if (failure.command === 0) return undefined;
    const row = advance(this.#byCommand.get(failure.command), failure, index);
    this.#byCommand.set(failure.command, row);
    return row;
  }

  #found(agent: string, { failure, indices }: Row, count: number, limit: number): Finding {
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

function advance(row: Row | undefined, failure: Failure, index: number): Row {
  const before = row === undefined || isFalling(row.failure, failure) ? undefined : row;
  const last = before?.failure;
  return {
    failure,
    ofCategory: last?.category === failure.category ? (before as Row).ofCategory + 1 : 1,
    ofShape: last?.shape === failure.shape ? (before as Row).ofShape + 1 : 1,
    ofSignature: last?.signature === failure.signature ? (before as Row).ofSignature + 1 : 1,
    indices: [...(before?.indices ?? []), index].slice(-MAX_ROWS),
  };
}

/** Fewer failures than before are progress. */
function isFalling(before: Failure, now: Failure): boolean {
  return before.count !== undefined && now.count !== undefined && now.count < before.count;
}

function toJson({ failure, ...counts }: Row): JsonValue {
  const { target, category, shape, signature, command, count, isRefusal } = failure;
  return {
    failure: { target, category, shape, signature, command, count: count ?? null, isRefusal },
    ...counts,
  };
}

function fromJson(value: unknown): Row {
  const path = 'execution-storm.row';
  const { failure, ofCategory, ofShape, ofSignature, indices } = restoredRecord(path, value);
  const { target, category, shape, signature, command, count } = restoredRecord(path, failure);
  return {
    failure: {
      target: restoredText(path, target),
      category: restoredText(path, category),
      shape: restoredNumber(path, shape),
      signature: restoredNumber(path, signature),
      command: restoredNumber(path, command),
      count: count === null ? undefined : restoredNumber(path, count),
      isRefusal: false,
    },
    ofCategory: restoredNumber(path, ofCategory),
    ofShape: restoredNumber(path, ofShape),
    ofSignature: restoredNumber(path, ofSignature),
    indices: restoredNumbers(path, indices),
  };
}
