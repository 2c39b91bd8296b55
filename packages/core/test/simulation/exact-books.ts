/** An amount at a time: by the clock, and in truth. */
interface Entry {
  readonly amount: bigint;
  readonly truth: number;
  at: number;
}

interface Held extends Entry {
  readonly names: readonly string[];
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Books in big integers that are summed anew each time. What is older than two windows in truth is dropped, as no jump of the
 * clock brings it back.
 */
export class ExactBooks {
  readonly #windowMs: number;
  readonly #reservationMs: number;
  readonly #spent: Map<string, Entry[]> = new Map();
  readonly #held: Map<string, Held> = new Map();
  #truth = 0;
  #now = 1e12;

  constructor(windowMs: number, reservationMs: number) {
    this.#windowMs = windowMs;
    this.#reservationMs = reservationMs;
  }

  /** So much time has passed, and the clock says `now`. */
  pass(ms: number, now: number): void {
    this.#truth += ms;
    const back = this.#now - now;
    this.#now = now;
    if (back > 0) {
      const spent = [...this.#spent.values()].flat();
      for (const one of [...spent, ...this.#held.values()]) if (one.at > now) one.at -= back;
      for (const one of spent) one.at = Math.min(one.at, now - (this.#truth - one.truth));
    }
    for (const [id, { at }] of this.#held) {
      if (at <= now - this.#reservationMs) this.#held.delete(id);
    }
  }

  isReserved(id: string): boolean {
    return this.#held.has(id);
  }

  reserve(id: string, names: readonly string[], nanoUsd: number): void {
    this.#held.set(id, { amount: BigInt(nanoUsd), truth: this.#truth, at: this.#now, names });
  }

  settle(id: string, names: readonly string[], nanoUsd: number): void {
    this.#held.delete(id);
    for (const name of names) {
      let entries = this.#spent.get(name) ?? [];
      entries.push({ amount: BigInt(nanoUsd), truth: this.#truth, at: this.#now });
      if (entries.length % 100 === 0) entries = entries.filter((one) => !this.#isOld(one));
      this.#spent.set(name, entries);
    }
  }

  /** What is spent and reserved together. */
  claimed(name: string): bigint {
    return this.#spentOf(name) + this.#heldOf(name);
  }

  /** What is spent, and what is reserved, as a store tells it. */
  totals(name: string): readonly [spent: number, reserved: number] {
    const [spent, held] = [this.#spentOf(name), this.#heldOf(name)];
    return [Number(spent > MOST ? MOST : spent), Number(held)];
  }

  #isOld({ truth }: Entry): boolean {
    return truth <= this.#truth - 2 * this.#windowMs;
  }

  #spentOf(name: string): bigint {
    const first = this.#now - this.#windowMs;
    return total((this.#spent.get(name) ?? []).filter(({ at }) => at > first));
  }

  #heldOf(name: string): bigint {
    return total([...this.#held.values()].filter(({ names }) => names.includes(name)));
  }
}

function total(entries: readonly Entry[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}
