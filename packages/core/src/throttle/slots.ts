import { keyOf } from '../budget/calls/reservations.ts';
import type { ModelRequestSignal, UsageSignal } from '../signal/signal.ts';

/** The slots of a conversation's model calls, until their usage is observed or their permit released: whichever comes first. */
export class CallSlots {
  /** The oldest first. */
  readonly #leave: Map<string, (() => void)[]> = new Map();

  /** Keeps a slot. Returns the function that ends it with its permit. */
  add(request: ModelRequestSignal, leave: () => void): () => void {
    const key = keyOf(request);
    const line = this.#leave.get(key) ?? [];
    this.#leave.set(key, line);
    line.push(leave);
    return () => this.#end(key, leave);
  }

  /** Ends the slot of a usage: the oldest one with its request id, or of its agent. */
  observe(usage: UsageSignal): void {
    const key = keyOf(usage);
    const [oldest] = this.#leave.get(key) ?? [];
    if (oldest !== undefined) this.#end(key, oldest);
  }

  #end(key: string, leave: () => void): void {
    const line = this.#leave.get(key) ?? [];
    const at = line.indexOf(leave);
    if (at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) this.#leave.delete(key);
    leave();
  }
}

/** The slots of calls that have begun. Like reservations they expire: a call whose end nobody tells keeps none for good. */
export class SlotExpiry {
  readonly #lastsMs: number;
  /** When each has begun, by what gives it back. The oldest first. */
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

  /** Gives back those that have expired. */
  expire(now: number): void {
    for (const [end, at] of this.#held) {
      if (at + this.#lastsMs > now) return;
      this.#held.delete(end);
      end();
    }
  }
}
