import { hashText, mixHash } from '../../common/hash.ts';
import { times } from '../../common/words.ts';
import type { Signal } from '../../signal/signal.ts';
import { count, list, number, type Of, pair, record } from '../../state/codec.ts';
import { RecentMap, Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import { type AnalyzedSignal, askerOf, type Failure, type Success } from '../analyzed-signal.ts';
import { isFewer, lowest, TALLY } from '../failures/tally.ts';
import type { Basis, Finding } from '../finding.ts';
import type { Laps } from '../steps/lap-step.ts';
import { BuiltInDetector, type DetectorSpec, NORMAL, type Setting } from './built-in-detector.ts';
import { describeFailure } from './describe-failure.ts';

/** Options of {@link ExecutionStormDetector}. */
export interface ExecutionStormOptions {
  /**
   * How many consecutive failures of one tool, or of code, trip. If you set it, errors of one
   * category count, and only a success restarts the count. By default only identical errors count,
   * and progress restarts it, too.
   * @defaultValue 5
   */
  readonly limit?: number;
  /** Stops the team after this many consecutive failed tool calls and code runs, by any agents, whatever their errors. */
  readonly maxInARow?: number;
}

const MAX_TARGETS = 64;
const MAX_INDICES = 64;
const MAX_SIGNATURES = 64;
const MAX_PLACES = 16;
/** So many times as many failures trip if they are not all of one tool with one error. */
const PATIENCE = 2;

/** Consecutive failures of one agent with one target, without refusals. */
const ROW = record({
  target: number,
  /** Whose model it is; 0 for anything else. */
  asker: number,
  /** What the next failure is compared with; texts are kept as hashes only. */
  last: record({
    shape: number,
    category: number,
    signature: number,
    command: number,
    tally: TALLY,
  }),
  /** Index of the latest. */
  at: count,
  /** How many there are since the row started, and without those with a new error. */
  length: count,
  weight: number,
  /** How many of the latest have the identical error. */
  ofSignature: count,
  /** How many of the latest have an error of one category, whatever else has changed. */
  ofCategory: count,
  places: list(number, MAX_PLACES),
  signatures: list(number, MAX_SIGNATURES),
  indices: list(count, MAX_INDICES),
  /** The lowest values so far of the numbers in the failures. */
  lows: list(pair(number, number)),
});
type FailureRow = Of<typeof ROW>;
/** Consecutive failures of one agent with an identical error, of whatever tools. */
const CAUSE = record({ signature: number, indices: list(count, MAX_INDICES) });

/** What was counted. */
interface Counted {
  readonly basis: Basis;
  readonly occurrences: number;
  readonly limit: number;
  /** Whether the error was identical each time. */
  readonly isSame: boolean;
  /** Whether calls of several tools failed. */
  readonly isOfSeveral?: boolean;
}
const SEVERAL = { target: 'calls of several tools', unquoted: 'calls of several tools' };

export const EXECUTION_STORM: DetectorSpec<ExecutionStormOptions, 'maxInARow'> = {
  name: 'executionStorm',
  kind: 'execution-storm',
  meaning: 'Code or tools fail in the same way over and over.',
  advice:
    'If these failures are part of the work, raise {limit}; for identical calls, also repetition.limit (3).',
  progress: 'a step that succeeds, or that fails in another way',
  options: {
    limit: { type: 'integer', min: 1, max: 1000, default: 5, isScaled: true, tried: [3, 5, 8] },
    maxInARow: { type: 'integer', min: 1 },
  },
};

/**
 * Trips when code or a tool fails in the same way over and over.
 *
 * A success restarts the count. Refused steps do not count: {@link RateDetector} watches those. Neither do retries that back off.
 */
export class ExecutionStormDetector extends BuiltInDetector<ExecutionStormOptions, 'maxInARow'> {
  readonly kind = 'execution-storm';
  readonly #rows: RecentMap<number, FailureRow> = new RecentMap(MAX_TARGETS, number, ROW);
  readonly #causes: RecentMap<number, Of<typeof CAUSE>> = new RecentMap(MAX_TARGETS, number, CAUSE);
  /** Index of the latest call or run that succeeded and brought something new. */
  readonly #newsAt = new Saved<number>(count, () => 0);
  protected readonly memory: Stateful = new SavedGroup({
    rows: this.#rows,
    causes: this.#causes,
    newsAt: this.#newsAt,
  });
  readonly #isDeclared: boolean;
  readonly #laps: number;

  /** An identical failing step is certain after `laps` laps. @throws {@link InvalidOptionError} */
  constructor(options: ExecutionStormOptions = {}, { factor, laps }: Setting = NORMAL) {
    super(EXECUTION_STORM, options, factor);
    this.#isDeclared = options.limit !== undefined;
    this.#laps = laps;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { isPerson, failure, success, signal, index } = step;
    if (isPerson) this.reset();
    if (success !== undefined) this.#worked(signal, success);
    if (step.isAct && failure === undefined && step.staleness === 0) this.#newsAt.state = index;
    if (failure === undefined || failure.isRefusal || step.isBackingOff) return undefined;
    const agent = hashText(signal.agent);
    const key = mixHash(agent, hashText(failure.target));
    const before = this.#rows.get(key);
    const asker = askerOf(signal);
    const row = { ...advance(before, failure, index, this.#newsAt.state), asker };
    this.#rows.set(key, row);
    const isProgress = before !== undefined && row.length === 1;
    const indices = this.#alike(causeKey(signal), failure, index, isProgress);
    return this.#storm(step, failure, row) ?? this.#cause(signal.agent, failure, indices);
  }

  /** Where the latest failures of an agent with this error are, whatever it called. */
  #alike(key: number, failure: Failure, index: number, isProgress: boolean): readonly number[] {
    const { signature, isReported } = failure;
    const before = this.#causes.get(key);
    const isSame = before?.signature === signature && !isReported && !isProgress;
    const indices = [...(isSame ? before.indices : []), index].slice(-MAX_INDICES);
    this.#causes.set(key, { signature, indices });
    return indices;
  }

  #storm({ signal, laps }: AnalyzedSignal, failure: Failure, row: FailureRow): Finding | undefined {
    const { limit } = this.options;
    const found = (basis: Basis, occurrences: number, most: number, isSame: boolean): Finding => {
      const indices = row.indices.slice(-occurrences);
      return this.#found(signal.agent, failure, indices, {
        basis,
        occurrences,
        limit: most,
        isSame,
      });
    };
    if (laps !== undefined && laps.laps >= this.#laps && isOfFailures(laps)) {
      return found('certain', laps.laps, this.#laps, true);
    }
    if (this.#isDeclared) {
      const isSame = row.ofSignature >= row.ofCategory;
      return row.ofCategory < limit ? undefined : found('declared', row.ofCategory, limit, isSame);
    }
    if (row.ofSignature >= limit) return found('certain', row.ofSignature, limit, true);
    const patient = PATIENCE * limit;
    return row.weight < patient ? undefined : found('suspected', row.length, patient, false);
  }

  /** One thing that is broken fails in many tools. */
  #cause(agent: string, failure: Failure, indices: readonly number[]): Finding | undefined {
    const limit = PATIENCE * this.options.limit;
    const occurrences = indices.length;
    if (this.#isDeclared || occurrences < limit) return undefined;
    const counted = {
      basis: 'certain',
      occurrences,
      limit,
      isSame: true,
      isOfSeveral: true,
    } as const;
    return this.#found(agent, failure, indices, counted);
  }

  /** A success of any agent clears the target. Any model that answers its agent makes up for another one that did not. */
  #worked(signal: Signal, { target }: Success): void {
    const worked = hashText(target);
    const asker = askerOf(signal);
    for (const [key, row] of this.#rows.entries()) {
      const isAnswered = asker !== 0 && row.asker === asker;
      if (isAnswered || row.target === worked) this.#rows.delete(key);
    }
    this.#causes.delete(causeKey(signal));
  }

  #found(
    agent: string,
    failure: Failure,
    indices: readonly number[],
    { basis, occurrences, limit, isSame, isOfSeveral = false }: Counted,
  ): Finding {
    const { error, ...one } = describeFailure(failure);
    const { target, unquoted } = isOfSeveral ? SEVERAL : one;
    const failed = `failed ${times(occurrences)} in a row${isSame ? ' with the same error' : ''}`;
    const last = isSame ? `: ${error}` : `, the last time with ${error}`;
    const subject = failure.isUntrusted ? 'an error' : failure.category;
    return this.found(
      `${target} ${failed}${error === undefined ? '' : last}`,
      { agents: [agent], indices, count: occurrences, limit, subject },
      { unquoted: { reason: `${unquoted} ${failed}` }, basis },
    );
  }
}

/** What fails of one agent: its models, or all that it calls. */
function causeKey(signal: Signal): number {
  return mixHash(hashText(signal.agent), askerOf(signal));
}

/** Whether one call or run failed in each lap, whatever was said in between. */
function isOfFailures({ steps }: Laps): boolean {
  const acts = steps.filter(({ isAct }) => isAct);
  return (
    new Set(acts.map(({ key }) => key)).size === 1 && acts.every(({ isPatient }) => !isPatient)
  );
}

/**
 * Adds a failure to its row; starts a new row if fewer things failed, or failed elsewhere after something new was done. Whoever
 * only moves the same broken line about has done nothing new.
 */
function advance(
  row: FailureRow | undefined,
  failure: Failure,
  index: number,
  newsAt: number,
): Omit<FailureRow, 'asker'> {
  const { shape, signature, command, tally, place } = failure;
  const category = hashText(failure.category);
  const lows = new Map(row?.lows);
  const isAlike = row?.last.shape === shape;
  const isBetter = row !== undefined && isFewer(row.last.tally, tally, lows, isAlike);
  const places = row?.places ?? [];
  const isElsewhere = place !== 0 && !places.includes(place);
  const hasMoved = isElsewhere && places.length > 0 && newsAt > (row?.at ?? 0);
  const before = isBetter || hasMoved ? undefined : row;
  const last = before?.last;
  const isSameCommand = last?.command === command;
  const isSame = last?.signature === signature && (isSameCommand || !failure.isReported);
  const signatures = before?.signatures ?? [];
  const isTelling = !signatures.includes(signature);
  const { length = 0, weight = 0, ofSignature = 0 } = before ?? {};
  return {
    target: hashText(failure.target),
    last: { shape, category, signature, command, tally },
    at: index,
    length: length + 1,
    weight: isTelling && before !== undefined ? weight : weight + 1,
    ofSignature: isSame ? ofSignature + 1 : 1,
    ofCategory: row?.last.category === category ? row.ofCategory + 1 : 1,
    places: isElsewhere ? [...places, place].slice(-MAX_PLACES) : places,
    signatures: isTelling ? [...signatures, signature].slice(-MAX_SIGNATURES) : signatures,
    indices: [...(row?.indices ?? []), index].slice(-MAX_INDICES),
    lows: [...lowest(lows, tally)],
  };
}
