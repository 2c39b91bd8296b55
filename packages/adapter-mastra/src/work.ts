import type { Scope } from '@teamfuse/adapter-kit';
import type { Context, Progress } from '@teamfuse/adapter-kit/language-models';

/** An agent at work. */
export interface Work {
  readonly context: Context;
  readonly agent: string;
  readonly scope: Scope<Progress>;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
}
