import { restoredNumber, restoredNumbers, restoredRecord } from '../analysis/restored.ts';
import type { Deed, Said } from '../analysis/step.ts';
import type { JsonValue } from '../json.ts';
import { type Cycle, CycleTracker } from './cycle-tracker.ts';

/** Longest round of calls of one agent. */
const MAX_PERIOD = 8;
/** How idle an answer to code has to be to count as the same outcome in other words. */
const STALE_OUTCOME = 0.85;
/** Outcomes that are remembered at most; as many as the largest limit. */
const MAX_OUTCOMES = 100;

/** What one agent keeps saying and doing, whatever the others do meanwhile. */
export class Voice {
  readonly #deeds: CycleTracker;
  #variants: number[] = [];
  #outcomes: readonly number[] = [];
  #oldCode: readonly number[] = [];
  #lastCodeAt = -1;
  #lastActAt = -1;
  #echo = 0;
  #echoes: readonly number[] = [];

  /** `rounds` is how often the same calls have to come. */
  constructor(rounds: number) {
    this.#deeds = new CycleTracker(rounds, MAX_PERIOD);
  }

  /** Takes a call or a run in. What another changed since the last one, at `changedAt`, is a reason to do it again. */
  act(deed: Deed, index: number, changedAt: number): Cycle | undefined {
    this.#variants = [];
    if (changedAt > this.#lastActAt) this.#deeds.clear();
    this.#lastActAt = index;
    return this.#deeds.observe(deed.key, index);
  }

  /**
   * Takes a message in, and gives the indices of those in a row that are variants of each other, the latest one before
   * `idleSince` included: that one may have had something new for an answer.
   */
  vary({ isVariant }: Said, index: number, idleSince: number): readonly number[] {
    if (isVariant) {
      const since = this.#variants.findLastIndex((before) => before < idleSince);
      const known = this.#variants.slice(Math.max(0, since));
      this.#variants = [...known, index].slice(-MAX_OUTCOMES);
    } else {
      this.#variants = [index];
    }
    return this.#variants;
  }

  /** Takes a message in, and gives the indices of the answers to code since one that had a new figure in it. */
  answer(said: Said, repeats: number, idleness: number, index: number): readonly number[] {
    if (!said.isOutcome || said.figures === 0) return [];
    if (said.newFigures > 0) this.#outcomes = [];
    else if (repeats > 0 || said.isExtended || idleness >= STALE_OUTCOME) {
      this.#outcomes = [...this.#outcomes, index].slice(-MAX_OUTCOMES);
    }
    return this.#outcomes;
  }

  /**
   * Takes a message in, and gives the indices of those that showed code their author had shown before, with nothing new
   * to say about it, since code last brought a new result, at `newResultAt`. New code makes up for one of them.
   */
  show({ code }: Said, isProgress: boolean, index: number, newResultAt: number): readonly number[] {
    if (code === 'none') return [];
    const isOld = code === 'old' && !isProgress;
    const isAnew = newResultAt > this.#lastCodeAt || (code === 'old' && isProgress);
    const known = isAnew ? [] : this.#oldCode;
    this.#lastCodeAt = index;
    this.#oldCode = isOld ? [...known, index].slice(-MAX_OUTCOMES) : known.slice(1);
    return isOld ? this.#oldCode : [];
  }

  /** Takes a line in that was said before, and gives the indices of it since `idleSince`. */
  echo(key: number, index: number, idleSince: number): readonly number[] {
    const known = key === this.#echo ? this.#echoes.filter((echo) => echo > idleSince) : [];
    this.#echo = key;
    this.#echoes = [...known, index].slice(-MAX_OUTCOMES);
    return this.#echoes;
  }

  /** The indices at which a result was shown, now included: word for word since long, or but for a few words. */
  shown(key: number, revisits: readonly number[], index: number): readonly number[] {
    const echoes = key === this.#echo ? this.#echoes : [];
    return [...new Set([...revisits, ...echoes, index])].sort((a, b) => a - b);
  }

  snapshot(): JsonValue {
    return {
      deeds: this.#deeds.snapshot(),
      variants: [...this.#variants],
      outcomes: [...this.#outcomes],
      oldCode: [...this.#oldCode],
      lastCodeAt: this.#lastCodeAt,
      lastActAt: this.#lastActAt,
      echo: this.#echo,
      echoes: [...this.#echoes],
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const state = restoredRecord(path, snapshot);
    const { deeds, variants, outcomes, oldCode, lastCodeAt, lastActAt, echo, echoes } = state;
    this.#deeds.restore(`${path}.deeds`, deeds);
    this.#variants = [...restoredNumbers(`${path}.variants`, variants)];
    this.#outcomes = [...restoredNumbers(`${path}.outcomes`, outcomes)];
    this.#oldCode = [...restoredNumbers(`${path}.oldCode`, oldCode)];
    this.#lastCodeAt = restoredNumber(`${path}.lastCodeAt`, lastCodeAt);
    this.#lastActAt = restoredNumber(`${path}.lastActAt`, lastActAt);
    this.#echo = restoredNumber(`${path}.echo`, echo);
    this.#echoes = [...restoredNumbers(`${path}.echoes`, echoes)];
  }
}
