import type { AnalyzedSignal, Failure } from '../analysis/analyzed-signal.ts';
import { isFewer, lowest, TALLY } from '../analysis/failures/tally.ts';
import { hashText } from '../analysis/hash.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { TELLING_ERROR } from '../judgement.ts';
import { checkNames, integer, type OptionNames } from '../options.ts';
import { type Codec, count, list, number, pair, record } from '../state/codec.ts';
import { describeFailure } from './describe-failure.ts';

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

/** The latest failure of a row, as far as the next one is compared with it: what it said is known by hashes alone. */
interface LastFailure extends Pick<Failure, 'shape' | 'signature' | 'command' | 'tally'> {
  readonly category: number;
}

/** Failures in a row of one target. None of them is a refusal. */
interface FailureRow {
  readonly last: LastFailure;
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
  last: record<LastFailure>({
    category: number,
    shape: number,
    signature: number,
    command: number,
    tally: TALLY,
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
  readonly #rows: RecentMap<number, FailureRow> = new RecentMap(MAX_TARGETS, number, ROW);

  /** @throws {@link InvalidOptionError} */
  constructor(options: ExecutionStormOptions = {}) {
    checkNames('executionStorm', options, NAMES);
    const { limit = 5 } = options;
    this.#limit = integer('executionStorm.limit', limit, 1, 1000);
    const { sameErrorLimit = Math.min(3, limit) } = options;
    this.#sameErrorLimit = integer('executionStorm.sameErrorLimit', sameErrorLimit, 1, limit);
    this.#shapeLimit = Math.ceil((limit + sameErrorLimit) / 2);
  }

  observe({ isPerson, failure, success, signal, index }: AnalyzedSignal): Finding | undefined {
    if (isPerson) this.#rows.clear();
    if (success !== undefined) this.#rows.delete(hashText(success.target));
    if (failure === undefined || failure.isRefusal) return undefined;
    const target = hashText(failure.target);
    const row = advance(this.#rows.get(target), failure, index);
    this.#rows.set(target, row);
    const found = (occurrences: number, limit: number): Finding =>
      this.#found(signal.agent, failure, row.indices.slice(-occurrences), occurrences, limit);
    if (row.ofSignature >= this.#sameErrorLimit) {
      return found(row.ofSignature, this.#sameErrorLimit);
    }
    if (row.ofShape >= this.#shapeLimit) return found(row.ofShape, this.#shapeLimit);
    return row.weight < this.#limit ? undefined : found(row.ofCategory, this.#limit);
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

  #found(
    agent: string,
    failure: Failure,
    indices: readonly number[],
    occurrences: number,
    limit: number,
  ): Finding {
    const { target, error, unquoted } = describeFailure(failure);
    const times = `failed ${occurrences} times in a row`;
    return {
      level: 'trip',
      kind: this.kind,
      reason: `${target} ${times} with ${error}`,
      evidence: {
        agents: [agent],
        indices,
        count: occurrences,
        limit,
        subject: failure.isUntrusted ? error : failure.category,
      },
      unquoted: { reason: `${unquoted.target} ${times} with ${unquoted.error}` },
      isFact: true,
    };
  }
}

/** The row with one more failure, or a new one where fewer things fail than before. */
function advance(row: FailureRow | undefined, failure: Failure, index: number): FailureRow {
  const lows = new Map(row?.lows);
  const category = hashText(failure.category);
  const isAlike = row?.last.shape === failure.shape;
  const isBetter = row !== undefined && isFewer(row.last.tally, failure.tally, lows, isAlike);
  const before = isBetter ? undefined : row;
  const last = before?.last;
  // Without a name, a category is but a line of the error.
  const isOfCategory = last?.category === category && (failure.isNamed || isAlike);
  const isSameCommand = last?.command === failure.command;
  const isSame = last?.signature === failure.signature && (isSameCommand || !failure.isReported);
  const known = new Set(before?.words);
  const isTelling = failure.words.some((word) => !known.has(word));
  const { shape, signature, command, tally } = failure;
  return {
    last: { category, shape, signature, command, tally },
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
