import type { AnalyzedSignal, Failure } from '../analysis/analyzed-signal.ts';
import { isFewer, lowest, TALLY } from '../analysis/failures/tally.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import type { Basis, Finding } from '../finding.ts';
import { hashText, mixHash } from '../hash.ts';
import { count, list, number, type Of, pair, record } from '../state/codec.ts';
import type { Stateful } from '../state/stateful.ts';
import { times } from '../words.ts';
import { BuiltInDetector } from './built-in-detector.ts';
import { describeFailure } from './describe-failure.ts';
import { type DetectorSpec, NORMAL, type Setting } from './detector-spec.ts';

/** Options of {@link ExecutionStormDetector}. */
export interface ExecutionStormOptions {
  /**
   * How many consecutive failures trip, whatever their errors. An error that is new in the row does not count.
   * @defaultValue 10
   */
  readonly limit?: number;
  /**
   * How many consecutive failures trip if the error is identical each time. At most `limit`.
   * @defaultValue 5
   */
  readonly sameErrorLimit?: number;
  /** Stops the team after this many consecutive failed tool calls and code runs, by any agents. */
  readonly maxInARow?: number;
}

const MAX_TARGETS = 64;
const MAX_INDICES = 64;
const MAX_SIGNATURES = 64;
const MAX_PLACES = 16;

/** Consecutive failures of one agent with one target, without refusals. */
const ROW = record({
  target: number,
  /** What the next failure is compared with; texts are kept as hashes only. */
  last: record({ shape: number, signature: number, command: number, tally: TALLY }),
  /** How many there are, without those with a new error. */
  weight: number,
  /** How many of the latest have the identical error. */
  ofSignature: count,
  places: list(number, MAX_PLACES),
  signatures: list(number, MAX_SIGNATURES),
  indices: list(count, MAX_INDICES),
  /** The lowest values so far of the numbers in the failures. */
  lows: list(pair(number, number)),
});
type FailureRow = Of<typeof ROW>;

/** What was counted. */
interface Counted {
  readonly occurrences: number;
  readonly limit: number;
  /** Whether the error was identical each time. */
  readonly isSame: boolean;
}

export const EXECUTION_STORM: DetectorSpec<ExecutionStormOptions, 'maxInARow'> = {
  name: 'executionStorm',
  kind: 'execution-storm',
  meaning: 'Code or tools fail in the same way over and over.',
  advice:
    'If these failures are part of the work, raise {sameErrorLimit} and {limit}; for identical calls, also repetition.limit (3).',
  options: {
    limit: { type: 'integer', min: 1, max: 1000, default: 10, isScaled: true, tried: [5, 10, 20] },
    sameErrorLimit: {
      type: 'integer',
      min: 1,
      atMost: 'limit',
      default: 5,
      isScaled: true,
      tried: [3, 5, 8],
    },
    maxInARow: { type: 'integer', min: 1 },
  },
};

/**
 * Trips when code or a tool fails in the same way over and over.
 *
 * A success resets the count; so does a falling number of failures, or a failure in another file or function. Refused
 * steps do not count: {@link RateDetector} watches those.
 */
export class ExecutionStormDetector extends BuiltInDetector<ExecutionStormOptions, 'maxInARow'> {
  readonly kind = 'execution-storm';
  readonly #rows: RecentMap<number, FailureRow> = new RecentMap(MAX_TARGETS, number, ROW);
  protected readonly memory: Stateful = this.#rows;
  readonly #basis: Basis;
  readonly #laps: number;

  /** An identical failing step is certain after `laps` laps. @throws {@link InvalidOptionError} */
  constructor(options: ExecutionStormOptions = {}, { factor, laps }: Setting = NORMAL) {
    super(EXECUTION_STORM, options, factor);
    const isDeclared = options.limit !== undefined || options.sameErrorLimit !== undefined;
    this.#basis = isDeclared ? 'declared' : 'suspected';
    this.#laps = laps;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { isPerson, failure, success, signal, index, laps } = step;
    const { limit, sameErrorLimit } = this.options;
    if (isPerson) this.#rows.clear();
    if (success !== undefined) this.#worked(hashText(success.target));
    if (failure === undefined || failure.isRefusal) return undefined;
    const key = mixHash(hashText(signal.agent), hashText(failure.target));
    const row = advance(this.#rows.get(key), failure, index);
    this.#rows.set(key, row);
    const found = (occurrences: number, most: number): Finding => {
      const isSame = row.ofSignature >= occurrences;
      return this.#found(signal.agent, failure, row.indices.slice(-occurrences), {
        occurrences,
        limit: most,
        isSame,
      });
    };
    if (laps?.period === 1 && laps.laps >= this.#laps) {
      return { ...found(laps.laps, this.#laps), basis: 'certain' };
    }
    if (row.ofSignature >= sameErrorLimit) return found(row.ofSignature, sameErrorLimit);
    return row.weight < limit ? undefined : found(row.indices.length, limit);
  }

  /** A success of any agent clears the target. */
  #worked(target: number): void {
    for (const [key, row] of this.#rows.entries())
      if (row.target === target) this.#rows.delete(key);
  }

  #found(
    agent: string,
    failure: Failure,
    indices: readonly number[],
    { occurrences, limit, isSame }: Counted,
  ): Finding {
    const { target, error, unquoted } = describeFailure(failure);
    const failed = `failed ${times(occurrences)} in a row${isSame ? ' with the same error' : ''}`;
    const last = isSame ? `: ${error}` : `, the last time with ${error}`;
    const subject = failure.isUntrusted ? 'an error' : failure.category;
    return this.trip(
      `${target} ${failed}${error === undefined ? '' : last}`,
      { agents: [agent], indices, count: occurrences, limit, subject },
      { unquoted: { reason: `${unquoted} ${failed}` }, basis: this.#basis },
    );
  }
}

/** Adds a failure to its row; starts a new row if fewer things failed, or failed elsewhere. */
function advance(row: FailureRow | undefined, failure: Failure, index: number): FailureRow {
  const { shape, signature, command, tally, place } = failure;
  const lows = new Map(row?.lows);
  const isAlike = row?.last.shape === shape;
  const isBetter = row !== undefined && isFewer(row.last.tally, tally, lows, isAlike);
  const places = row?.places ?? [];
  const isElsewhere = place !== 0 && !places.includes(place);
  const before = isBetter || (isElsewhere && places.length > 0) ? undefined : row;
  const last = before?.last;
  const isSameCommand = last?.command === command;
  const isSame = last?.signature === signature && (isSameCommand || !failure.isReported);
  const signatures = before?.signatures ?? [];
  const isTelling = !signatures.includes(signature);
  const { weight = 0, ofSignature = 0 } = before ?? {};
  return {
    target: hashText(failure.target),
    last: { shape, signature, command, tally },
    weight: isTelling && before !== undefined ? weight : weight + 1,
    ofSignature: isSame ? ofSignature + 1 : 1,
    places: isElsewhere ? [...places, place].slice(-MAX_PLACES) : places,
    signatures: isTelling ? [...signatures, signature].slice(-MAX_SIGNATURES) : signatures,
    indices: [...(before?.indices ?? []), index].slice(-MAX_INDICES),
    lows: [...lowest(lows, tally)],
  };
}
