import type { JsonValue } from '../../json.ts';
import { restoredNumber, restoredRecord } from '../restored.ts';

/** What is believed before anything was seen: few teams talk in facts all the time. */
const PRIOR_RATE = 0.2;
const PRIOR_TURNS = 1;
/** Older turns fade: so much of them is kept at each turn. */
const FADING = 0.97;

/**
 * How usual it is in this conversation that a turn holds facts: names, numbers, code, results.
 *
 * A stretch without facts says little in a conversation that never had any, and much where they were the rule. So the
 * rate stands still while a stretch lasts, and takes it in only afterwards.
 */
export class FactRate {
  #facts = 0;
  #turns = 0;
  #pendingFacts = 0;
  #pendingTurns = 0;

  /** From 0, facts are rare, to 1, every turn has some. */
  get rate(): number {
    return (this.#facts + PRIOR_RATE * PRIOR_TURNS) / (this.#turns + PRIOR_TURNS);
  }

  /** Takes a turn in. `isProgress` ends a stretch without any. */
  take(hasFact: boolean, isProgress: boolean): void {
    this.#pendingTurns++;
    if (hasFact) this.#pendingFacts++;
    if (!isProgress) return;
    const kept = this.#pendingTurns === 1 ? FADING : FADING ** this.#pendingTurns;
    this.#facts = this.#facts * kept + this.#pendingFacts;
    this.#turns = this.#turns * kept + this.#pendingTurns;
    this.#pendingFacts = 0;
    this.#pendingTurns = 0;
  }

  clear(): void {
    this.#facts = 0;
    this.#turns = 0;
    this.#pendingFacts = 0;
    this.#pendingTurns = 0;
  }

  snapshot(): JsonValue {
    return {
      facts: this.#facts,
      turns: this.#turns,
      pendingFacts: this.#pendingFacts,
      pendingTurns: this.#pendingTurns,
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { facts, turns, pendingFacts, pendingTurns } = restoredRecord(path, snapshot);
    this.#facts = restoredNumber(`${path}.facts`, facts);
    this.#turns = restoredNumber(`${path}.turns`, turns);
    this.#pendingFacts = restoredNumber(`${path}.pendingFacts`, pendingFacts);
    this.#pendingTurns = restoredNumber(`${path}.pendingTurns`, pendingTurns);
  }
}
