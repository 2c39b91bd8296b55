import type { JsonValue } from '@teamfuse/core/kit';

/** What detectors and the analyzer have in common: they take one thing in after the other, and can be stored. */
export interface Fold<TInput> {
  observe(input: TInput): unknown;
  reset(): void;
  snapshot(): JsonValue;
  restore(snapshot: JsonValue): void;
}

/** What a fold makes of each input, as JSON text. */
export function outputsOf<TInput>(fold: Fold<TInput>, inputs: readonly TInput[]): string[] {
  return inputs.map((input) => outputOf(fold, input));
}

export function outputOf<TInput>(fold: Fold<TInput>, input: TInput): string {
  return JSON.stringify(fold.observe(input)) ?? 'nothing';
}

/** Sends a snapshot through JSON into a new fold, as a store would. */
export function revive<TInput>(create: () => Fold<TInput>, fold: Fold<TInput>): Fold<TInput> {
  const revived = create();
  revived.restore(JSON.parse(JSON.stringify(fold.snapshot())));
  return revived;
}
