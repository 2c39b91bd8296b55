import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardRunner } from '../src/index.ts';
import { looking, newRunner, watcher } from './support/looking.ts';

/** Two users open a stream each, which is read after `guard.run()` has returned. */
describe('a stream that a user opens', () => {
  it('[OAG18] belongs to him wherever it is read', async () => {
    const breaker = new Breaker();
    const whose = new Set<string>();
    breaker.on('signal', ({ conversation }) => whose.add(conversation.split('/')[0] ?? ''));
    const runner = newRunner();
    const guard = guardRunner(runner, breaker, { judge: false });
    const agents = { ann: watcher(looking(3)), bob: watcher(looking(2)) };
    const streams = await Promise.all(
      (['ann', 'bob'] as const).map((user) =>
        guard.run({ user }, () => runner.run(agents[user], 'Look.', { stream: true })),
      ),
    );
    await Promise.all(
      streams.map(async (stream) => {
        for await (const _ of stream);
        await stream.completed;
      }),
    );
    expect([...whose].sort()).toEqual(['user:ann', 'user:bob']);
    const spent = ['ann', 'bob'].map((user) => breaker.for({ user }).cost.tokens);
    expect(Math.min(...spent)).toBeGreaterThan(0);
    expect(breaker.cost.tokens).toBe((spent[0] ?? 0) + (spent[1] ?? 0));
  });
});
