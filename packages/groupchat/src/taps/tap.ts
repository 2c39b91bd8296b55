import type { Attempt, ChatEvent } from './chat-event.ts';

/** The answer of a tap that does not let something begin. */
export interface Refusal {
  /** Said in `ChatResult.stopReason`. */
  readonly reason: string;
}

/**
 * A listening point on agents.
 *
 * What a tap throws is not caught: it leaves the chat as any error of a reply function does.
 */
export interface Tap {
  /** Called with everything that happens, in order; must not change what it is shown. */
  observe?(event: ChatEvent): void;
  /** Asked before something begins; a refusal keeps it from beginning, and the agent answers nothing. */
  admit?(attempt: Attempt): Refusal | undefined | Promise<Refusal | undefined>;
}

/** The taps of one agent; the agents a manager hides while it chooses a speaker share the manager's. */
export class TapSet {
  readonly #taps = new Set<Tap>();

  /** Adds a tap and returns the function that takes it off again. */
  add(tap: Tap): () => void {
    this.#taps.add(tap);
    return () => {
      this.#taps.delete(tap);
    };
  }

  /** Tells every tap what happened. */
  observe(event: ChatEvent): void {
    for (const tap of this.#taps) tap.observe?.(event);
  }

  /** Asks every tap in order; the first refusal counts. */
  async admit(attempt: Attempt): Promise<Refusal | undefined> {
    for (const tap of this.#taps) {
      const refusal = await tap.admit?.(attempt);
      if (refusal) return refusal;
    }
    return undefined;
  }
}
