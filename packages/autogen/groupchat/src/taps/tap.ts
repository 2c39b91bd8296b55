import type { ChatMessage } from '../messages/message.ts';
import type { ChatEvent } from './chat-event.ts';
import type { RefusableStep, Step } from './step.ts';

/** The answer of a tap that forbids a step. */
export interface Refusal {
  /** Reported in `ChatResult.stopReason`, with the kind `refused`. */
  readonly reason: string;
}

/** What a tap makes of the model call of a reply: one without tools, of at most so many tokens, with these messages. */
export interface ToollessCall {
  readonly maxTokens: number;
  readonly messages: readonly ChatMessage[];
}

/** The work of a step; `signal` asks it to end early, where it can. */
export type StepWork<T> = (signal?: AbortSignal, toolless?: ToollessCall) => Promise<T>;

/**
 * Observes agents, and may refuse what they are about to do.
 *
 * Errors of a tap are not caught: like an error of a reply function, they end the chat.
 */
export interface Tap {
  /** Called with every event, in order; must not change the event. */
  observe?(event: ChatEvent): void;
  /** Called before a step begins; after a refusal the step does not begin and the agent answers nothing. */
  admit?(step: RefusableStep): Refusal | undefined | Promise<Refusal | undefined>;
  /**
   * Called around each step but a `selection`, after its admission, with the object that was admitted; has to return what `work` resolves to.
   * It may run `work` in an async context, pass it a signal, and how to reply without tools, or stop waiting for it: an error that has a `refusal` ends a step
   * as if `admit` had refused it.
   */
  around?<T>(step: Step, work: StepWork<T>): Promise<T>;
}

/** The taps of one agent; the hidden agents that choose a speaker share the taps of their manager. */
export class TapSet {
  readonly #taps = new Set<Tap>();

  /** Adds a tap and returns the function that removes it. */
  add(tap: Tap): () => void {
    this.#taps.add(tap);
    return () => {
      this.#taps.delete(tap);
    };
  }

  /** Passes an event to every tap. */
  observe(event: ChatEvent): void {
    for (const tap of this.#taps) tap.observe?.(event);
  }

  /** Asks every tap in order; the first refusal counts. */
  async admit(step: RefusableStep): Promise<Refusal | undefined> {
    for (const tap of this.#taps) {
      const asked = tap.admit?.(step);
      const refusal = asked === undefined ? undefined : await asked;
      if (refusal) return refusal;
    }
    return undefined;
  }

  /** Runs `work` inside every tap, the first one outermost. */
  around<T>(step: Step, work: StepWork<T>): Promise<T> {
    let entered = work;
    for (const tap of [...this.#taps].reverse()) {
      if (tap.around === undefined) continue;
      const inner = entered;
      entered = (given, outer) => {
        const joined: StepWork<T> = (own, toolless = outer) =>
          inner(joinedSignal(given, own), toolless);
        return tap.around ? tap.around(step, joined) : inner(given, outer);
      };
    }
    return entered();
  }
}

/** An error that ends a step like the refusal of a tap. */
export function refusalBy(reason: string, cause: unknown): Error {
  return Object.assign(new Error(reason, { cause }), { refusal: { reason } });
}

/** The refusal that an error of a tap stands for. */
export function refusalIn(error: unknown): Refusal | undefined {
  const { refusal } = Object(error) as { readonly refusal?: Partial<Refusal> };
  return typeof refusal?.reason === 'string' ? { reason: refusal.reason } : undefined;
}

/** Two signals as one. */
export function joinedSignal(
  given: AbortSignal | undefined,
  own: AbortSignal | undefined,
): AbortSignal | undefined {
  return given && own ? AbortSignal.any([given, own]) : (given ?? own);
}
