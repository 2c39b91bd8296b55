import { observe } from '@teamfuse/cli';
import { Breaker, type BreakerOptions, PRESETS, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { RUNAWAYS, type Runaway } from './support/runaways.ts';

/** They speak without asking a model. */
const PROGRAMS = ['executor', 'chairman'];

function fail(error: unknown): never {
  throw error;
}

/** The step at which a conversation is stopped, and for what; each takes four seconds, and each answer of a model is told. */
function stopOf({ steps }: Runaway, options: BreakerOptions): string | undefined {
  let at = 0;
  let inputTokens = 800;
  const breaker = new Breaker({ ...options, now: () => at });
  const isOpen = (): boolean => breaker.conversation().trip !== undefined;
  for (const [i, step] of steps.entries()) {
    at += 4000;
    const isSaid = step.kind === 'message';
    if (isSaid && !PROGRAMS.includes(step.agent)) {
      const base = { kind: 'usage', at, agent: step.agent, model: 'm' } as const;
      breaker.observe({ ...base, inputTokens, outputTokens: 200, costUsd: 0.001 });
    }
    if (!isOpen()) observe(breaker, { ...step, at } as Signal, fail);
    if (isOpen()) return `${i + 1} ${breaker.conversation().trip?.kind}`;
    inputTokens += isSaid ? 200 : 100;
  }
  return undefined;
}

describe('runaways that breakers of teams are asked for', () => {
  it.each(RUNAWAYS)('[EVAL19] stops at $stop: $name', (runaway) => {
    expect(stopOf(runaway, {})).toBe(runaway.stop);
  });

  it.each(RUNAWAYS)('[EVAL19] stops at $classic with the classic preset: $name', (runaway) => {
    const { budget: _, ...classic } = PRESETS.classic;
    expect(stopOf(runaway, classic)).toBe(runaway.classic);
  });
});
