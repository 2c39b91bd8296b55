import { readError } from '../analysis/failures/error-text.ts';
import { isFewer, lowest, tallyFromJson, tallyToJson } from '../analysis/failures/tally.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import {
  restoredFlag,
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
  /** The least values so far of the numbers in the failure. */
  readonly lows: ReadonlyMap<number, number>;
}

const MAX_ROWS = 64;
const NO_LOWS: ReadonlyMap<number, number> = new Map();

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
    const { signature } = readError(signal.output, undefined, signal.code);
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
  const before = row === undefined || isBetter(row, failure) ? undefined : row;
  const last = before?.failure;
  const isAlike = last?.shape === failure.shape;
  // Without a name, a category is but a line of the error.
  const isOfKind = last?.category === failure.category && (failure.isNamed || isAlike);
  return {
    failure,
    ofCategory: isOfKind ? (before as Row).ofCategory + 1 : 1,
    ofShape: isAlike ? (before as Row).ofShape + 1 : 1,
    ofSignature: last?.signature === failure.signature ? (before as Row).ofSignature + 1 : 1,
    indices: [...(before?.indices ?? []), index].slice(-MAX_ROWS),
    lows: lowest(row?.lows ?? NO_LOWS, failure.tally),
  };
}

/** Fewer failures than before are progress. */
function isBetter({ failure, lows }: Row, { tally, shape }: Failure): boolean {
  return isFewer(failure.tally, tally, lows, failure.shape === shape);
}

function toJson({ failure, lows, ...counts }: Row): JsonValue {
  const { target, category, isNamed, shape, signature, command, tally, isRefusal } = failure;
  const kept = { target, category, isNamed, shape, signature, command, isRefusal };
  return {
    failure: { ...kept, tally: tallyToJson(tally) },
    lows: [...lows].map((entry) => [...entry]),
    ...counts,
  };
}

function fromJson(value: unknown): Row {
  const path = 'execution-storm.row';
  const { failure, ofCategory, ofShape, ofSignature, indices, lows } = restoredRecord(path, value);
  const { target, category, isNamed, shape, signature, command, tally } = restoredRecord(
    path,
    failure,
  );
  return {
    failure: {
      target: restoredText(path, target),
      category: restoredText(path, category),
      isNamed: restoredFlag(path, isNamed),
      shape: restoredNumber(path, shape),
      signature: restoredNumber(path, signature),
      command: restoredNumber(path, command),
      tally: tallyFromJson(path, tally),
      isRefusal: false,
    },
    ofCategory: restoredNumber(path, ofCategory),
    ofShape: restoredNumber(path, ofShape),
    ofSignature: restoredNumber(path, ofSignature),
    indices: restoredNumbers(path, indices),
    lows: new Map(
      restoredList(path, lows).map((entry) => {
        const [key, low] = restoredNumbers(path, entry);
        return [key ?? 0, low ?? 0];
      }),
    ),
  };
}
