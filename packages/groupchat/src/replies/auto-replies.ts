import type { Agent } from '../messages/agent.ts';

/** Counts, for each peer, the replies given without a person, and holds the limit of each. */
export class AutoReplies {
  readonly #counts = new Map<Agent | null, number>();
  readonly #limits = new Map<Agent | null, number>();
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many replies in a row the peer got. */
  count(peer: Agent | null): number {
    return this.#counts.get(peer) ?? 0;
  }

  /** Every peer that was counted for, with its count. */
  counts(): ReadonlyMap<Agent | null, number> {
    return this.#counts;
  }

  /** Counts one more. */
  add(peer: Agent | null): void {
    this.#counts.set(peer, this.count(peer) + 1);
  }

  /** Starts over, for one peer or for all. */
  reset(peer?: Agent | null): void {
    if (peer === undefined) this.#counts.clear();
    else this.#counts.set(peer, 0);
  }

  /** The limit towards a peer; it is fixed at the first look. */
  limit(peer: Agent | null): number {
    const known = this.#limits.get(peer);
    if (known !== undefined) return known;
    this.#limits.set(peer, this.#limit);
    return this.#limit;
  }

  /** The limit towards peers not met yet. */
  get defaultLimit(): number {
    return this.#limit;
  }

  /** Sets the limit towards one peer, or towards all, known and coming. */
  updateLimit(limit: number, peer?: Agent): void {
    if (peer) {
      this.#limits.set(peer, limit);
      return;
    }
    this.#limit = limit;
    for (const known of this.#limits.keys()) this.#limits.set(known, limit);
  }
}
