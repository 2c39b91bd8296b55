import { usageKey } from '../budget/calls/reservations.ts';
import type { ModelRequestSignal, UsageSignal } from '../signal/signal.ts';

/** The slots of a conversation's model calls, until their usage is observed or their permit released: whichever comes first. */
export class CallSlots {
  /** The oldest first. */
  readonly #ends: Map<string, (() => void)[]> = new Map();

  /** Keeps a slot. Returns the function that ends it with its permit. */
  add(request: ModelRequestSignal, end: () => void): () => void {
    const key = usageKey(request);
    const line = this.#ends.get(key) ?? [];
    this.#ends.set(key, line);
    line.push(end);
    return () => this.#end(key, end);
  }

  /** Ends the slot of a usage: the oldest one with its request id, or of its agent. */
  observe(usage: UsageSignal): void {
    const key = usageKey(usage);
    const [oldest] = this.#ends.get(key) ?? [];
    if (oldest !== undefined) this.#end(key, oldest);
  }

  #end(key: string, end: () => void): void {
    const line = this.#ends.get(key) ?? [];
    const at = line.indexOf(end);
    if (at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) this.#ends.delete(key);
    end();
  }
}

/** The slots of calls that have begun. Like reservations they expire: a call whose end nobody tells keeps none for good. */
export class SlotExpiry {
  readonly #lastsMs: number;
  /** When each has begun, by what ends it. The oldest first. */
  readonly #held: Map<() => void, number> = new Map();

  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs;
  }

  /** When the oldest one expires; never, if there is none. */
  get expiresAt(): number {
    for (const at of this.#held.values()) return at + this.#lastsMs;
    return Number.POSITIVE_INFINITY;
  }

  add(end: () => void, at: number): void {
    this.#held.set(end, at);
  }

  remove(end: () => void): void {
    this.#held.delete(end);
  }

  /** Ends those that have expired. */
  expire(now: number): void {
    for (const [end, at] of this.#held) {
      if (at + this.#lastsMs > now) return;
      this.#held.delete(end);
      end();
    }
  }
}
