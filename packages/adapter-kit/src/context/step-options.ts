import type { Signal } from '@teamfuse/core';
import type { Outcome } from '@teamfuse/core/kit';
import type { Scope } from './scope.ts';
import type { StepTraits } from './scoped-host.ts';

/** How a step reports its outcome. */
export interface StepOptions<T, L> extends Pick<StepTraits, 'isLeaf' | 'asksModel'> {
  /** The signal of the outcome; `undefined` reports nothing. */
  readonly report?: (outcome: Outcome<T>) => Signal | undefined;
  /** The place of everything inside the step. @defaultValue the current one */
  readonly scope?: Scope<L> | undefined;
  /** What the step gives if it alone is refused, or the last answer of its run is due: the text says why. @defaultValue throws a TrippedError */
  readonly refusedAs?: ((text: string) => unknown) | undefined;
  /** The caller's signal. Tools and code that it ends are cancelled: their outcome is not reported. */
  readonly signal?: AbortSignal | undefined;
}

/** How a step is asked for alone. */
export interface AskOptions extends Pick<StepTraits, 'isSelection' | 'asksModel'> {
  /** Ends the wait for other calls, where a budget lets calls wait. */
  readonly signal?: AbortSignal | undefined;
}
