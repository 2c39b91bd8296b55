/** The tokens of a model call: what it may take, and what it took. */
interface Entry {
  readonly tokens: number;
  readonly at: number;
  readonly purses: readonly string[];
  /** Whether room must be held for it. */
  isHeld: boolean;
}

/** Most tokens, by purse. */
export type Limits = Map<string, number>;

/** The whole budget among the purses. */
export const WHOLE = 'the budget';
/** More than all that is said in a scene: a call counts so, at most, of which nothing is known. */
const LONGEST_PROMPT = 10_000;

/** What model calls have really taken and may still take, counted beside the engine. */
export class Books {
  readonly #limits: Limits;
  readonly #passed: () => number;
  readonly #reservationMs: number;
  readonly #windowMs: number | undefined;
  readonly #running: Map<object, Entry> = new Map();
  /** In a rolling window, what has been taken of late. */
  #recent: Entry[] = [];
  readonly #taken: Map<string, number> = new Map();
  /** Tokens that an engine has been told of. */
  told = 0;
  /** The most that the calls may have taken of which no one has told how much they took. */
  untold = 0;

  constructor(limits: Limits, passed: () => number, reservationMs: number, windowMs?: number) {
    this.#limits = limits;
    this.#passed = passed;
    this.#reservationMs = reservationMs;
    this.#windowMs = windowMs;
  }

  /** A call begins that was asked for at this time. */
  begin(call: object, tokens: number, at: number, purses: readonly string[]): void {
    this.#running.set(call, { tokens, at, purses, isHeld: true });
  }

  /** The most that can be held for calls that have not ended. */
  get running(): number {
    let sum = 0;
    for (const { tokens } of this.#running.values()) sum += tokens;
    return sum;
  }

  /** A call has ended; `tokens` is what its usage says, if it says anything. */
  end(call: object, tokens: number | undefined): void {
    const entry = this.#running.get(call);
    this.#running.delete(call);
    // Of a call whose reservation was released, the engine knows no more than what was said before.
    if (tokens === undefined) this.untold += entry?.isHeld ? entry.tokens : LONGEST_PROMPT;
    else this.told += tokens;
    if (entry?.isHeld !== true) return;
    // What is not told counts as it was reserved.
    const { purses } = entry;
    const booked = tokens ?? entry.tokens;
    for (const purse of purses) this.#take(purse, booked);
    if (this.#windowMs === undefined) return;
    this.#recent.push({ tokens: booked, at: this.#passed(), purses, isHeld: false });
  }

  /** Room is no longer held for these calls. */
  release(isGivenUp: (call: object) => boolean): void {
    for (const [call, entry] of this.#running) if (isGivenUp(call)) entry.isHeld = false;
  }

  /** What is too old by any clock counts no more. */
  forget(): void {
    const now = this.#passed();
    for (const entry of this.#running.values()) {
      if (entry.at <= now - this.#reservationMs) entry.isHeld = false;
    }
    const windowMs = this.#windowMs;
    if (windowMs === undefined) return;
    const kept: Entry[] = [];
    for (const entry of this.#recent) {
      if (entry.at > now - windowMs) kept.push(entry);
      else for (const purse of entry.purses) this.#take(purse, -entry.tokens);
    }
    this.#recent = kept;
  }

  /** What is wrong with this call beside all others. */
  excess(call: object): string | undefined {
    this.forget();
    const own = this.#running.get(call);
    if (own?.isHeld !== true) return undefined;
    for (const purse of own.purses) {
      const limit = this.#limits.get(purse) ?? this.#limits.get(kindOf(purse));
      if (limit === undefined) continue;
      let sum = this.#taken.get(purse) ?? 0;
      for (const { tokens, purses, isHeld } of this.#running.values()) {
        if (isHeld && purses.includes(purse)) sum += tokens;
      }
      if (sum > limit) return `${sum} of ${limit} tokens of ${purse}`;
    }
    return undefined;
  }

  #take(purse: string, tokens: number): void {
    this.#taken.set(purse, (this.#taken.get(purse) ?? 0) + tokens);
  }
}

/** 'agent' of 'agent ann'. */
function kindOf(purse: string): string {
  return purse.slice(0, purse.indexOf(' '));
}
