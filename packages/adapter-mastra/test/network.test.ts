import { Breaker, MemoryBudgetStore, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardAgent, tripOf } from '../src/index.ts';
import { type Choice, lookAt, network, typesOf } from './support/networks.ts';
import { networks } from './support/side-by-side.ts';

const MANY = { maxSteps: 12 } as const;

const STORY = [
  'A heron stood in the river and waited for fish.',
  'At noon a boy came with a net that had holes.',
  'They shared the shade of the only willow.',
  'Rain began, and the water turned brown and fast.',
  'The boy lost his net, and the bird its patience.',
  'In the evening both ate bread on the bridge.',
];

const sky: Choice = { id: 'inner', type: 'agent', prompt: 'the sky' };
const place = (at: number): Choice => ({ ...sky, prompt: `field ${at}` });

describe('a network', () => {
  it('[MAS9] mastra-ai/mastra#9387: ends before its router is asked once more, and keeps what was done', async () => {
    const { agent, asked } = network(() => sky);
    guardAgent(agent, new Breaker());
    const stream = await agent.network('Tell me all.', MANY);
    const types = await typesOf(stream);
    expect(types.filter((type) => type === 'agent-execution-end')).toHaveLength(3);
    expect(types.slice(types.indexOf('routing-agent-abort'))).toEqual([
      'routing-agent-abort',
      'network-execution-event-step-finish',
      'network-validation-start',
      'network-validation-end',
      'network-execution-event-finish',
    ]);
    expect(asked).toEqual({ router: 6, inner: 3, used: 0 });
    expect(tripOf(stream)?.kind).toBe('repetition');
    expect(await stream.status).toBe('success');
  });

  it('[MAS7] pays for what its router was asked when its caller aborts, and gives back the rest', async () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxTokens: 100_000, store } });
    const controller = new AbortController();
    const { agent } = network((at) => {
      if (at === 1) controller.abort();
      return lookAt(at);
    });
    guardAgent(agent, breaker, { judge: false });
    await typesOf(await agent.network('Look around.', { abortSignal: controller.signal }));
    await expect.poll(() => store.totals().reserved.tokens).toBe(0);
    expect(breaker.cost.tokens).toBeGreaterThan(0);
  });

  it('[MAS9] ends before the effect of a tool of its own', async () => {
    const { agent, asked } = network(() => lookAt('sky'));
    guardAgent(agent, new Breaker());
    const stream = await agent.network('Look.', MANY);
    await typesOf(stream);
    expect(asked).toEqual({ router: 5, inner: 0, used: 2 });
    expect(tripOf(stream)?.kind).toBe('repetition');
  });

  it('[MAS9] counts what its router asks against its limits', async () => {
    const { agent, asked } = network(place);
    guardAgent(agent, new Breaker({ maxModelCalls: 7 }));
    const stream = await agent.network('Tell me all.', MANY);
    const types = await typesOf(stream);
    expect(asked.router + asked.inner).toBe(7);
    expect(types.at(-1)).toBe('network-execution-event-finish');
    expect(tripOf(stream)?.kind).toBe('limit');
  });

  it('[MAS9] counts them with a model that its caller gives, too', async () => {
    const [other, { agent, asked }] = [network(place), network(place)];
    guardAgent(agent, new Breaker({ maxModelCalls: 7 }));
    const { model } = other.agent;
    const stream = await agent.network('Tell me all.', { ...MANY, model: model as never });
    await typesOf(stream);
    expect([asked.router, other.asked.router + asked.inner]).toEqual([0, 7]);
    expect(tripOf(stream)?.kind).toBe('limit');
  });

  it('[MAS9] begins nothing that its router chose when it was stopped meanwhile', async () => {
    const breaker = new Breaker();
    const { agent, asked } = network((at) => {
      if (at === 1) breaker.stop('not today');
      return place(at);
    });
    guardAgent(agent, breaker);
    const stream = await agent.network('Tell me all.', MANY);
    expect((await typesOf(stream)).at(-1)).toBe('network-execution-event-finish');
    expect(asked).toEqual({ router: 3, inner: 1, used: 0 });
    expect(tripOf(stream)?.reason).toContain('not today');
  });

  it('[MAS9] ends so, too, when it is stopped before the agent that was chosen begins', async () => {
    const breaker = new Breaker();
    const { agent, asked } = network(place, {
      begins: () => {
        if (asked.inner === 2) breaker.stop('not today');
      },
    });
    guardAgent(agent, breaker);
    const stream = await agent.network('Tell me all.', MANY);
    const types = await typesOf(stream);
    expect(types).toContain('agent-execution-abort');
    expect(types.at(-1)).toBe('network-execution-event-finish');
    expect(asked).toEqual({ router: 5, inner: 2, used: 0 });
    expect([tripOf(stream)?.reason, await stream.status]).toEqual(['not today', 'success']);
  });

  it.each([
    ['an agent', place],
    ['a tool', lookAt],
  ])('[MAS10] that sends %s one thing after the other is left alone', async (_, choose) => {
    const breaker = new Breaker();
    const { agent, asked } = network(choose, { results: 6 });
    guardAgent(agent, breaker);
    const stream = await agent.network('Tell me all.', MANY);
    const types = await typesOf(stream);
    expect(types).not.toContain('routing-agent-abort');
    expect(await stream.result).toMatchObject({ status: 'success', result: { result: 'Done.' } });
    expect([asked.router, asked.inner + asked.used]).toEqual([12, 6]);
    expect([tripOf(stream), breaker.stopped]).toEqual([undefined, []]);
  });

  it('[MAS10] that sends an agent the same words is left alone as long as the answers differ', async () => {
    const breaker = new Breaker();
    const says = (_: string | undefined, n: number): string => STORY[n - 1] ?? 'The end.';
    const { agent, asked } = network(() => ({ ...sky, prompt: 'Go on.' }), { results: 6, says });
    guardAgent(agent, breaker);
    const stream = await agent.network('Tell a story.', MANY);
    expect(await typesOf(stream)).not.toContain('routing-agent-abort');
    expect([asked.inner, tripOf(stream), breaker.stopped]).toEqual([6, undefined, []]);
  });

  it('[MAS11] is refused with a TrippedError where its work has not begun', async () => {
    const breaker = new Breaker();
    const { agent, asked } = network(place);
    guardAgent(agent, breaker);
    breaker.stop('not today');
    await expect(agent.network('Tell me all.', MANY)).rejects.toThrow(TrippedError);
    expect(asked.router).toBe(0);
  });

  it('[MAS11] keeps the listeners and the signal of its caller, or of its agent', async () => {
    const heard: string[] = [];
    const options = (name: string) => {
      const controller = new AbortController();
      const onIterationComplete = (): void => {
        heard.push(name);
        controller.abort();
      };
      return { ...MANY, abortSignal: controller.signal, onIterationComplete };
    };
    const breaker = new Breaker();
    const [own, other] = [
      network(place),
      network(place, { options: { defaultNetworkOptions: options('agent') } }),
    ];
    guardAgent([own.agent, other.agent], breaker);
    const given = [own.agent.network('Go.', options('caller')), other.agent.network('Go.')];
    for (const stream of await Promise.all(given)) {
      expect(await typesOf(stream)).toContain('routing-agent-abort');
      expect(tripOf(stream)).toBeUndefined();
    }
    expect(heard.sort()).toEqual(['agent', 'agent', 'caller', 'caller']);
    expect([own.asked.inner, other.asked.inner, breaker.stopped]).toEqual([1, 1, []]);
  });

  it('[MAS11] goes its way once the guard is gone', async () => {
    const { agent, asked } = network(() => sky);
    const guard = guardAgent(agent, new Breaker());
    guard.uninstall();
    await typesOf(await agent.network('Tell me all.', { maxSteps: 5 }));
    expect(asked.inner).toBe(6);
  });

  it('[MAS8] has a conversation of its own, also beside others of the same agent', () =>
    networks(4));
});
