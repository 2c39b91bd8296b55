import type { ModelCall, Scope } from '@teamfuse/adapter-kit';
import type { Context, Progress } from '@teamfuse/adapter-kit/language-models';

/** An agent at work. */
export interface Work {
  readonly context: Context;
  readonly agent: string;
  readonly scope: Scope<Progress>;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** Set where the model is that of a network's router: its answers are choices, not messages. */
  readonly router?: Router | undefined;
  /** Receives each call of its model, which it has to end where nobody reads it any more. */
  readonly made: (call: ModelCall) => void;
}

/** Hears of the answers of its model, and of its stop. */
export interface Router {
  said(text: string): Promise<void>;
  stopped(reason: string): void;
}
