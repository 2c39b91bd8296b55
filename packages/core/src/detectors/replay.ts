import type { Step } from '../analysis/step.ts';
import type { JsonValue } from '../json.ts';
import { agentsOf, restoredTurns, type Turn, turnsSnapshot } from './turns.ts';

/** What two say to each other again and again is found by how little it brings. */
const MIN_AGENTS = 3;
/** A round has to be under way again for so many more turns than the times that it has to come. */
const EXTRA_TURNS = 1;
const MAX_TURNS = 64;

/** Follows a team that goes through the same round again, where each says in other words what it has said before. */
export class Replay {
  /** Turns that are a replay. */
  readonly minTurns: number;
  readonly #limit: number;
  #turns: readonly Turn[] = [];

  /** `limit` is how many times the same has to come. */
  constructor(limit: number) {
    this.#limit = limit;
    this.minTurns = limit + EXTRA_TURNS;
  }

  /** Takes the next step in, and gives the turns that are a replay, if it ends one. */
  observe({ signal, index, said, deed, idleness }: Step): readonly Turn[] | undefined {
    if (idleness === 0 && this.#turns.length > 0) this.#turns = this.#turns.slice(1);
    const recurrences = said?.recurrences;
    if (recurrences === undefined) return undefined;
    if (recurrences < this.#limit - 1) {
      this.#turns = [];
      return undefined;
    }
    const { agent } = signal;
    // Some logs tell a message twice.
    if (deed?.repeats !== 0 && this.#turns.at(-1)?.agent === agent) return undefined;
    this.#turns = [...this.#turns, { agent, index }].slice(-MAX_TURNS);
    const isReplay =
      this.#turns.length >= this.minTurns && agentsOf(this.#turns).length >= MIN_AGENTS;
    return isReplay ? this.#turns : undefined;
  }

  clear(): void {
    this.#turns = [];
  }

  snapshot(): JsonValue {
    return turnsSnapshot(this.#turns);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#turns = restoredTurns(path, snapshot);
  }
}
