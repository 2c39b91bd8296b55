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

  /** All counts, by peer. */
  counts(): ReadonlyMap<Agent | null, number> {
    return this.#counts;
  }

  /** Adds one to the count of a peer. */
  add(peer: Agent | null): void {
    this.#counts.set(peer, this.count(peer) + 1);
  }

  /** Sets the count of one peer, or of all, to 0. */
  reset(peer?: Agent | null): void {
    if (peer === undefined) this.#counts.clear();
    else this.#counts.set(peer, 0);
  }

  /** The limit for a peer; it is fixed at the first read. */
  limit(peer: Agent | null): number {
    const known = this.#limits.get(peer);
    if (known !== undefined) return known;
    this.#limits.set(peer, this.#limit);
    return this.#limit;
  }

  /** The limit for peers without one of their own. */
  get defaultLimit(): number {
    return this.#limit;
  }

  /** Sets the limit for one peer, or for all known and future peers. */
  updateLimit(limit: number, peer?: Agent): void {
    if (peer) {
      this.#limits.set(peer, limit);
      return;
    }
    this.#limit = limit;
    for (const known of this.#limits.keys()) this.#limits.set(known, limit);
  }
}
