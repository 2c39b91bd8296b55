import type { AnalyzedSignal, Failure } from '../analysis/analyzed-signal.ts';
import { isFewer, lowest, TALLY } from '../analysis/failures/tally.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { TELLING_ERROR } from '../judgement.ts';
import { checkNames, integer, type OptionNames } from '../options.ts';
import { type Codec, count, flag, list, number, pair, record, text } from '../state/codec.ts';

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

const MAX_TARGETS = 64;
/** Indices that are kept at most, the latest ones. */
const MAX_INDICES = 64;
const MAX_WORDS = 128;

/** Failures in a row of one target. None of them is a refusal. */
interface FailureRow {
  readonly failure: Failure;
  /** How many of the latest are of its category, those that say something new counted as less. */
  readonly weight: number;
  readonly ofCategory: number;
  /** How many of the latest differ in names and numbers at most. */
  readonly ofShape: number;
  /** How many of the latest are the very same error. */
  readonly ofSignature: number;
  /** The words of all their errors. */
  readonly words: readonly number[];
  readonly indices: readonly number[];
  /** The least values so far of the numbers in the failure. */
  readonly lows: readonly (readonly [number, number])[];
}

const ROW: Codec<FailureRow> = record<FailureRow>({
  failure: record<Failure>({
    target: text,
    category: text,
    isNamed: flag,
    shape: number,
    signature: number,
    words: list(number),
    command: number,
    tally: TALLY,
    isRefusal: flag,
    isReported: flag,
  }),
  weight: number,
  ofCategory: count,
  ofShape: count,
  ofSignature: count,
  words: list(number, MAX_WORDS),
  indices: list(count, MAX_INDICES),
  lows: list(pair(number, number)),
});

const NAMES: OptionNames<ExecutionStormOptions> = { limit: true, sameErrorLimit: true };

/**
 * Trips when code or a tool fails the same way again and again.
 *
 * A success of the same thing begins anew, and so does a falling number of failures. Steps that were turned away before
 * they ran do not count: {@link RateDetector} watches those.
 */
export class ExecutionStormDetector implements Detector {
  readonly kind = 'execution-storm';
  readonly #limit: number;
  readonly #sameErrorLimit: number;
  /** Half-way between both. */
  readonly #shapeLimit: number;
  readonly #rows: RecentMap<string, FailureRow> = new RecentMap(MAX_TARGETS, text, ROW);

  /** @throws {@link InvalidOptionError} */
  constructor(options: ExecutionStormOptions = {}) {
    checkNames('executionStorm', options, NAMES);
    const { limit = 5, sameErrorLimit = Math.min(3, limit) } = options;
    this.#limit = integer('executionStorm.limit', limit, 1, 1000);
    this.#sameErrorLimit = integer('executionStorm.sameErrorLimit', sameErrorLimit, 1, limit);
    this.#shapeLimit = Math.ceil((limit + sameErrorLimit) / 2);
  }

  observe({ isPerson, failure, success, signal, index }: AnalyzedSignal): Finding | undefined {
    if (isPerson) this.#rows.clear();
    if (success !== undefined) this.#rows.delete(success.target);
    if (failure === undefined || failure.isRefusal) return undefined;
    const row = advance(this.#rows.get(failure.target), failure, index);
    this.#rows.set(failure.target, row);
    if (row.ofSignature >= this.#sameErrorLimit) {
      return this.#found(signal.agent, row, row.ofSignature, this.#sameErrorLimit);
    }
    if (row.ofShape >= this.#shapeLimit) {
      return this.#found(signal.agent, row, row.ofShape, this.#shapeLimit);
    }
    if (row.weight < this.#limit) return undefined;
    return this.#found(signal.agent, row, row.ofCategory, this.#limit);
  }

  reset(): void {
    this.#rows.clear();
  }

  snapshot(): JsonValue {
    return this.#rows.snapshot();
  }

  restore(snapshot: JsonValue): void {
    this.#rows.restore('execution-storm', snapshot);
  }

  #found(agent: string, row: FailureRow, occurrences: number, limit: number): Finding {
    const { target, category } = row.failure;
    return {
      level: 'trip',
      kind: this.kind,
      reason: `${target} failed ${occurrences} times in a row with ${category}`,
      evidence: {
        agents: [agent],
        indices: row.indices.slice(-occurrences),
        count: occurrences,
        limit,
        subject: category,
      },
      isFact: true,
    };
  }
}

/** The row with one more failure, or a new one where fewer things fail than before. */
function advance(row: FailureRow | undefined, failure: Failure, index: number): FailureRow {
  const lows = new Map(row?.lows);
  const isAlike = row?.failure.shape === failure.shape;
  const isBetter = row !== undefined && isFewer(row.failure.tally, failure.tally, lows, isAlike);
  const before = isBetter ? undefined : row;
  const last = before?.failure;
  // Without a name, a category is but a line of the error.
  const isOfCategory = last?.category === failure.category && (failure.isNamed || isAlike);
  const isSameCommand = last?.command === failure.command;
  const isSame = last?.signature === failure.signature && (isSameCommand || !failure.isReported);
  const known = new Set(before?.words);
  const isTelling = failure.words.some((word) => !known.has(word));
  return {
    failure,
    weight: isOfCategory
      ? (before?.weight ?? 0) + (isTelling || failure.isReported ? TELLING_ERROR : 1)
      : 1,
    ofCategory: isOfCategory ? (before?.ofCategory ?? 0) + 1 : 1,
    ofShape: isAlike && !isTelling && !failure.isReported ? (before?.ofShape ?? 0) + 1 : 1,
    ofSignature: isSame ? (before?.ofSignature ?? 0) + 1 : 1,
    words: [...known, ...failure.words].slice(-MAX_WORDS),
    indices: [...(before?.indices ?? []), index].slice(-MAX_INDICES),
    lows: [...lowest(lows, failure.tally)],
  };
}
