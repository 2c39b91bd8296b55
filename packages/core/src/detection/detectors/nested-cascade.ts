import { named, quotation } from '../../common/excerpt.ts';
import { hashText, mixHash } from '../../common/hash.ts';
import { counted, inDigits, inWords } from '../../common/words.ts';
import type { NestedEndSignal, NestedStartSignal } from '../../signal/signal.ts';
import { count, list, number, type Of, record } from '../../state/codec.ts';
import { RecentMap, Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import type { Finding } from '../finding.ts';
import { BuiltInDetector, type DetectorSpec, NORMAL, type Setting } from './built-in-detector.ts';

/** Options of {@link NestedCascadeDetector}. */
export interface NestedCascadeOptions {
  /**
   * How many consecutive nested chats of one trigger may end with the same result; the next one
   * trips. If you set it, they count whatever their tasks are.
   * @defaultValue 3
   */
  readonly limit?: number;
  /**
   * How deep nested chats may go; a deeper one trips.
   * @defaultValue 5
   */
  readonly maxDepth?: number;
  /**
   * How many nested chats one run may start before a person speaks again; the next one trips.
   * @defaultValue 50
   */
  readonly maxTotal?: number;
}

const MAX_TRIGGERS = 64;
const MAX_LIMIT = 1000;
const NONE = 0;

/** The chats of one trigger in consecutive rounds. Parallel chats are one round. */
const ROW = record({
  /** Identifies the latest chat until it ends. */
  place: number,
  /** Indices where the latest rounds started. */
  starts: list(count, MAX_LIMIT + 1),
  /** Indices where they ended; one fewer while a round is running. */
  ends: list(count, MAX_LIMIT),
});
type Row = Of<typeof ROW>;
const NO_ROW: Row = { place: NONE, starts: [], ends: [] };

export const NESTED_CASCADE: DetectorSpec<NestedCascadeOptions> = {
  name: 'nestedCascade',
  kind: 'nested-cascade',
  meaning: 'Nested chats are started over and over, or ever deeper.',
  advice: 'If this many nested chats are intended, raise {limit}, {maxDepth} or {maxTotal}.',
  progress: 'work on the task itself, or another task for the others',
  options: {
    limit: { type: 'integer', min: 1, max: MAX_LIMIT, default: 3, isScaled: true },
    maxDepth: { type: 'integer', min: 0, default: 5 },
    maxTotal: { type: 'integer', min: 0, default: 50 },
  },
};

/**
 * Trips when nested chats are started over and over, too deep, or too often.
 *
 * Over and over means: one trigger starts them one after another, and neither their tasks nor their results nor the
 * conversation around them bring anything new. Parallel chats, and chats with other tasks or results, do not count.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new NestedCascadeDetector({ maxDepth: 1 });
 * const start = (depth: number) =>
 *   detector.observe(
 *     analyzer.observe({
 *       kind: 'nested-start', at: depth, agent: 'lead', chatId: `c${depth}`, depth,
 *       path: ['lead', `c${depth}`], trigger: 'tool:spawn',
 *     }),
 *   )?.kind;
 * start(1); // => undefined
 * start(2); // => 'nested-cascade'
 * ```
 */
export class NestedCascadeDetector extends BuiltInDetector<NestedCascadeOptions> {
  readonly kind = 'nested-cascade';
  readonly #rows: RecentMap<number, Row> = new RecentMap(MAX_TRIGGERS, number, ROW);
  readonly #total: Saved<number> = new Saved(count, () => 0);
  /** Index of the latest new step. */
  readonly #newsAt: Saved<number> = new Saved(count, () => 0);
  protected readonly memory: Stateful = new SavedGroup({
    total: this.#total,
    newsAt: this.#newsAt,
    rows: this.#rows,
  });

  readonly #isDeclared: boolean;

  /** @throws {@link InvalidOptionError} */
  constructor(options: NestedCascadeOptions = {}, { factor }: Setting = NORMAL) {
    super(NESTED_CASCADE, options, factor);
    this.#isDeclared = options.limit !== undefined;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { signal, index } = step;
    if (step.isPerson) this.reset();
    if (step.isAfterWait) this.#rows.clear();
    if (this.#isDeclared ? hasMovedOn(step) : isNew(step)) this.#newsAt.state = index;
    if (signal.kind === 'nested-end') this.#end(signal, index);
    return signal.kind === 'nested-start' ? this.#start(signal, index) : undefined;
  }

  /** @internal */
  beginRun(): void {
    this.#total.clear();
  }

  #start(signal: NestedStartSignal, index: number): Finding | undefined {
    const total = ++this.#total.state;
    const { agent, trigger, depth } = signal;
    const { limit, maxDepth, maxTotal } = this.options;
    const key = mixHash(hashText(agent), hashText(trigger));
    const { place, starts, ends } = this.#rows.get(key) ?? NO_ROW;
    const isNextRound = place === NONE;
    const rounds = isNextRound ? [...starts, index].slice(-limit - 1) : starts;
    this.#rows.set(key, { place: placeOf(signal), starts: rounds, ends });
    if (total > maxTotal) {
      const were = total === 1 ? 'was' : 'were';
      const reason = `${counted(total, 'nested chat')} ${were} started; the limit is ${inDigits(maxTotal)} (nestedCascade.maxTotal)`;
      return this.#found(signal, reason, [index], total, maxTotal);
    }
    if (depth > maxDepth) {
      const reason = `a nested chat was started at depth ${inDigits(depth)}; the limit is ${inDigits(maxDepth)} (nestedCascade.maxDepth)`;
      return this.#found(signal, reason, [index], depth, maxDepth);
    }
    const alike = ends.filter((end) => end >= this.#newsAt.state).length;
    if (!isNextRound || alike < limit) return undefined;
    const what = `started a nested chat again although the last ${inWords(alike)} had the same result`;
    const found = this.#found(signal, `${quotation(trigger)} ${what}`, rounds, alike, limit);
    const basis = this.#isDeclared ? 'declared' : 'suspected';
    return { ...found, unquoted: { reason: `${named(agent)} ${what}` }, basis };
  }

  #end(signal: NestedEndSignal, index: number): void {
    const place = placeOf(signal);
    for (const [key, row] of this.#rows.entries()) {
      if (row.place !== place) continue;
      const ends = [...row.ends, index].slice(-this.options.limit);
      this.#rows.set(key, { ...row, place: NONE, ends });
    }
  }

  #found(
    { agent, trigger }: NestedStartSignal,
    reason: string,
    indices: readonly number[],
    occurrences: number,
    limit: number,
  ): Finding {
    const evidence = { agents: [agent], indices, count: occurrences, limit, subject: trigger };
    return this.found(reason, evidence, { unquoted: { reason }, basis: 'declared' });
  }
}

function isNew({ staleness, isNestedNews }: AnalyzedSignal): boolean {
  return staleness === 0 || isNestedNews === true;
}

/** Whether the outer chat has got on: by another result of a nested chat, or by one of its own. */
function hasMovedOn({ signal, isChange, isAct, staleness }: AnalyzedSignal): boolean {
  if (signal.kind === 'nested-end') return isChange;
  return isAct && staleness === 0 && (signal.depth ?? 0) === 0;
}

/** Equal for the start and the end of one chat. */
function placeOf({ chatId, path }: NestedStartSignal | NestedEndSignal): number {
  return path.reduce((place, name) => mixHash(place, hashText(name)), hashText(chatId)) || 1;
}
