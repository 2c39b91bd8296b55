import type { Signal } from '@teamfuse/core';
import type { Scope } from './scope.ts';

/** How a step ended. */
export type StepOutcome<T> = { readonly value: T } | { readonly error: unknown };

/** How a step reports its outcome. */
export interface StepOptions<T, L> {
  /** The signal of the outcome; `undefined` reports nothing. */
  readonly report?: (outcome: StepOutcome<T>) => Signal | undefined;
  /** The place of everything inside the step. @defaultValue the current one */
  readonly scope?: Scope<L> | undefined;
  /** Whether the wait for it ends when the run is aborted. Steps with steps inside end by those. */
  readonly isLeaf?: boolean;
  /** The caller's signal. Tools and code that it ends are cancelled: their outcome is not reported. */
  readonly signal?: AbortSignal | undefined;
}
