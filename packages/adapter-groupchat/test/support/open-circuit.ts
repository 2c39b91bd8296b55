import type { Breaker, Signal } from '@teamfuse/core';
import type { ConversableAgent } from '@teamfuse/groupchat';
import { FakeClock } from '@teamfuse/testing';
import { type GuardOptions, guardAgents } from '../../src/index.ts';
import { bareBreaker } from './bare-breaker.ts';
import { SaidDetector } from './said-detector.ts';
import { record } from './signals.ts';

export const COOLDOWN_MS = 1_000;

/** A guarded team whose circuit is open, as somebody has said `loop`. */
export function openCircuit(
  agents: readonly ConversableAgent[],
  options: GuardOptions = {},
  scope: 'conversation' | 'breaker' = 'conversation',
): { readonly breaker: Breaker; readonly clock: FakeClock; readonly signals: readonly Signal[] } {
  const clock = new FakeClock(1_000);
  const breaker = bareBreaker({
    cooldownMs: COOLDOWN_MS,
    now: clock.now,
    scope,
    detectors: [() => new SaidDetector('loop')],
  });
  guardAgents(agents, breaker, options);
  breaker.observe({ kind: 'message', at: clock.now(), agent: 'somebody', text: 'loop' });
  return { breaker, clock, signals: record(breaker) };
}
