import { Breaker } from '@teamfuse/core';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { guardGraph, guardMiddleware, runFor } from '../src/index.ts';
import { looking, lookTool } from './support/looking.ts';

/** Two users open a stream each, which is read after `guard.run()` has returned. */
describe('a stream that a user opens', () => {
  it('[LCN22] belongs to him wherever it is read', async () => {
    const breaker = new Breaker();
    const whose = new Set<string>();
    breaker.on('signal', ({ conversation }) => whose.add(conversation.split('/')[0] ?? ''));
    const agent = createAgent({ model: looking(6, (at) => `field ${at}`), tools: [lookTool()] });
    const guard = guardGraph(agent, breaker, { judge: false });
    const input = { messages: [{ role: 'user', content: 'Look.' }] };
    const streams = await Promise.all(
      ['ann', 'bob'].map((user) => guard.run({ user }, () => agent.stream(input))),
    );
    await Promise.all(
      streams.map(async (stream) => {
        for await (const _ of stream);
      }),
    );
    expect([...whose].sort()).toEqual(['user:ann', 'user:bob']);
    const spent = ['ann', 'bob'].map((user) => breaker.for({ user }).cost.tokens);
    expect(Math.min(...spent)).toBeGreaterThan(0);
    expect(breaker.cost.tokens).toBe((spent[0] ?? 0) + (spent[1] ?? 0));
  });
});

describe('a middleware for many users', () => {
  it('[LCN23] makes each run one of the user of runFor', async () => {
    const breaker = new Breaker({ budget: { users: { ann: { maxTokens: 110 } } } });
    const middleware = [guardMiddleware(breaker, { judge: false })];
    const model = looking(6, (at) => `field ${at}`);
    const agent = createAgent({ model, tools: [lookTool()], middleware });
    const input = { messages: [{ role: 'user', content: 'Look.' }] };
    const ask = (user: string) => runFor(breaker, { user }, () => agent.invoke(input));
    const [ann, bob] = await Promise.all([ask('ann'), ask('bob')]);
    expect(ann.messages.at(-1)?.text).toContain("the budget of user 'ann'");
    expect(bob.messages.at(-1)?.text).toBe('Done.');
    const { cost } = breaker.for({ user: 'ann' });
    expect([cost.tokens, breaker.cost.tokens]).toEqual([110, 110 * model.asked]);
  });
});
