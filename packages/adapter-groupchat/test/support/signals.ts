import type { Breaker, Signal } from '@teamfuse/core';
import type { SignalKind } from '@teamfuse/core/kit';

/** Everything a breaker is told from now on, in order. */
export function record(breaker: Breaker): Signal[] {
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  return signals;
}

/** The signals of one kind. */
export function ofKind<K extends SignalKind>(
  signals: readonly Signal[],
  kind: K,
): (Signal & { readonly kind: K })[] {
  return signals.filter((signal): signal is Signal & { readonly kind: K } => signal.kind === kind);
}

/** What was said, as `author: text`. */
export function said(signals: readonly Signal[]): string[] {
  return ofKind(signals, 'message').map(({ agent, text }) => `${agent}: ${text}`);
}
