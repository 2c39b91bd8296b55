import { keyOf } from '../../budget/calls/model-call.ts';
import type { ModelRequestSignal, UsageSignal } from '../../signal/signal.ts';

/** The places of a conversation's model calls, until their usage is observed or their permit released: whichever comes first. */
export class CallPlaces {
  /** The oldest first. */
  readonly #leave: Map<string, (() => void)[]> = new Map();

  /** Keeps a place. Returns the function that ends it with its permit. */
  add(request: ModelRequestSignal, leave: () => void): () => void {
    const key = keyOf(request);
    const line = this.#leave.get(key) ?? [];
    this.#leave.set(key, line);
    line.push(leave);
    return () => this.#end(key, leave);
  }

  /** The usage of a call was observed: the oldest one with its request id, or of its agent. */
  settle(usage: UsageSignal): void {
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
