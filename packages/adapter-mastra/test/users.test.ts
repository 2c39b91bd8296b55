import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardAgent } from '../src/index.ts';
import { looking, watcher } from './support/looking.ts';

/** Two users open a stream each, which is read after `guard.run()` has returned. */
describe('a stream that a user opens', () => {
  it('[MAS15] belongs to him wherever it is read', async () => {
    const breaker = new Breaker();
    const whose = new Set<string>();
    breaker.on('signal', ({ conversation }) => whose.add(conversation.split('/')[0] ?? ''));
    const { agent } = watcher(looking(6, (at) => `star ${at}`));
    const guard = guardAgent(agent, breaker, { judge: false });
    const streams = await Promise.all(
      ['ann', 'bob'].map((user) =>
        guard.run({ user }, () => agent.stream('Look.', { maxSteps: 20 })),
      ),
    );
    await Promise.all(
      streams.map(async (stream) => {
        for await (const _ of stream.fullStream);
      }),
    );
    expect([...whose].sort()).toEqual(['user:ann', 'user:bob']);
    const spent = ['ann', 'bob'].map((user) => breaker.for({ user }).cost.tokens);
    expect(Math.min(...spent)).toBeGreaterThan(0);
    expect(breaker.cost.tokens).toBe((spent[0] ?? 0) + (spent[1] ?? 0));
  });
});
