import { Breaker } from '@teamfuse/core';
import * as ai from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type GuardableAgent, guardAgent, tripOf } from '../src/index.ts';
import { looking } from './support/looking.ts';

/** Runs an agent that asks another one, in its tool, for something new five times. */
async function runWithSubAgent(breaker: Breaker) {
  const models = { inner: looking(0), outer: looking(5, (at) => `field ${at}`) };
  const inner = new ai.ToolLoopAgent({ id: 'inner', model: models.inner });
  const look = ai.tool({
    inputSchema: z.object({ at: z.string() }),
    execute: async ({ at }) => {
      await inner.generate({ prompt: at });
      return `a bird over ${at}`;
    },
  });
  const outer = new ai.ToolLoopAgent({ id: 'outer', model: models.outer, tools: { look } });
  guardAgent([outer, inner] as unknown as GuardableAgent[], breaker);
  const result = await outer.generate({ prompt: 'Look.' });
  const asked = [models.inner, models.outer].map(({ doGenerateCalls }) => doGenerateCalls.length);
  return { result, asked };
}

describe('an agent in a tool of another one', () => {
  it('[AIS15] is refused alone once it has been called as often as it may be', async () => {
    const breaker = new Breaker({ limits: { tools: { look: { maxCalls: 2 } } } });
    const { result, asked } = await runWithSubAgent(breaker);
    expect([result.text, asked]).toEqual(['Done.', [2, 6]]);
    expect([breaker.counters.refusals, breaker.stopped]).toEqual([3, []]);
  });

  it('[AIS15] ends the run around once it has used up its budget', async () => {
    const breaker = new Breaker({ budget: { agents: { inner: { maxTokens: 1 } } } });
    const { result } = await runWithSubAgent(breaker);
    expect(tripOf(result)?.evidence.purse).toBe('agent:inner');
  });
});
