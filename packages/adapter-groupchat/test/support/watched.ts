import type { Breaker, Signal } from '@teamfuse/core';
import {
  type GuardableAgent,
  type GuardOptions,
  type GuardProblem,
  guardAgents,
} from '../../src/index.ts';
import { bareBreaker } from './bare-breaker.ts';
import { record } from './signals.ts';

/** Guards agents with a breaker that lets everything pass; what it is told, and what the guard reports to `onError`. */
export function watched(
  agents: readonly GuardableAgent[],
  options: GuardOptions = {},
  breaker: Breaker = bareBreaker(),
): { readonly signals: readonly Signal[]; readonly problems: readonly GuardProblem[] } {
  const signals = record(breaker);
  const problems: GuardProblem[] = [];
  guardAgents(agents, breaker, { onError: (problem) => problems.push(problem), ...options });
  return { signals, problems };
}
