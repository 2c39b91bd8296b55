/** The answer of a tap that forbids a step. */
export interface Refusal {
  /** Reported in `ChatResult.stopReason`. */
  readonly reason: string;
}

/**
 * Observes agents, and may refuse what they are about to do.
 *
 * Errors of a tap are not caught: like an error of a reply function, they end the chat.
 */
export interface TapOf<TEvent, TAttempt> {
  /** Called with every event, in order; must not change the event. */
  observe?(event: TEvent): void;
  /** Called before a step begins; after a refusal the step does not begin and the agent answers nothing. */
  admit?(attempt: TAttempt): Refusal | undefined | Promise<Refusal | undefined>;
}

/** The taps of one agent; the hidden agents that choose a speaker share the taps of their manager. */
export class TapSet<TEvent, TAttempt> {
  readonly #taps = new Set<TapOf<TEvent, TAttempt>>();

  /** Adds a tap and returns the function that removes it. */
  add(tap: TapOf<TEvent, TAttempt>): () => void {
    this.#taps.add(tap);
    return () => {
      this.#taps.delete(tap);
    };
  }

  /** Passes an event to every tap. */
  observe(event: TEvent): void {
    for (const tap of this.#taps) tap.observe?.(event);
  }

  /** Asks every tap in order; the first refusal counts. */
  async admit(attempt: TAttempt): Promise<Refusal | undefined> {
    for (const tap of this.#taps) {
      const refusal = await tap.admit?.(attempt);
      if (refusal) return refusal;
    }
    return undefined;
  }
}
