import type { Breaker, Signal } from '@teamfuse/core';

/** Keeps what a breaker is told, without the times. */
export function recorded(breaker: Breaker): Record<string, unknown>[] {
  const signals: Record<string, unknown>[] = [];
  breaker.on('signal', ({ signal }) => {
    const { at, ...rest } = signal;
    signals.push(rest);
  });
  return signals;
}

/** What was told of one kind. */
export function ofKind(
  signals: readonly Record<string, unknown>[],
  kind: Signal['kind'],
): Record<string, unknown>[] {
  return signals.filter((signal) => signal.kind === kind);
}
