import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, test, vi } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { AGENTS } from './support/agents.ts';
import { type Got, ModelEndpoint, type Said } from './support/model-endpoint.ts';

/** Searches for the same thing for ever. */
const loops = (index: number): Said => ({
  calls: [{ id: `call_${index}`, tool: 'search', args: { query: 'orders' } }],
});

/** Searches page after page, and then answers. */
const pages = (index: number, _got: Got): Said =>
  index === 12
    ? { text: 'There are twelve pages of orders.' }
    : { calls: [{ id: `call_${index}`, tool: 'search', args: { query: 'orders', page: index } }] };

describe.each(Object.entries(AGENTS))('an agent that uses %s', (_, agent) => {
  test('[WIRE10] is stopped before the next call when it runs in circles', async () => {
    await using endpoint = await ModelEndpoint.start(loops);
    const breaker = new Breaker();
    const fetch = guardFetch(breaker);
    const run = agent({ baseURL: endpoint.url, fetch }, 'Find the orders.', () => '{"orders":[]}');
    await expect(run).rejects.toMatchObject({ status: 402 });
    expect(breaker.stopped.map(({ trip }) => trip?.kind)).toEqual(['repetition']);
    expect(endpoint.got.length).toBeLessThan(6);
  });

  test('[WIRE10] goes on when each call brings something new', async () => {
    await using endpoint = await ModelEndpoint.start(pages);
    const breaker = new Breaker();
    const fetch = guardFetch(breaker);
    let page = 0;
    const tool = (): string => `{"orders":["order ${page++}"]}`;
    const answer = await agent({ baseURL: endpoint.url, fetch }, 'Find the orders.', tool);
    expect(answer).toBe('There are twelve pages of orders.');
    expect(breaker.stopped).toEqual([]);
    expect(breaker.counters.toolCalls).toBe(12);
  });

  test('[WIRE11] is billed for what the endpoint served, to the token', async () => {
    await using endpoint = await ModelEndpoint.start(pages);
    const breaker = new Breaker();
    const fetch = guardFetch(breaker);
    let page = 0;
    await agent({ baseURL: endpoint.url, fetch }, 'Find the orders.', () => `order ${page++}`);
    const { input, output } = endpoint.served;
    expect(breaker.cost.tokens).toBe(input + output);
  });

  test('[WIRE12] gets the reason and the stop word as an answer where it asks for one', async () => {
    await using endpoint = await ModelEndpoint.start(loops);
    const fetch = guardFetch(new Breaker(), { refusal: 'answer', stopWord: 'DONE' });
    const answer = await agent({ baseURL: endpoint.url, fetch }, 'Find the orders.', () => 'none');
    expect(answer).toMatch(/^Stopped: .+\.\n\nDONE$/s);
  });
});

describe('a judge', () => {
  const told = (options: BreakerOptions): string[] => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    guardFetch(new Breaker(options));
    const lines = warn.mock.calls.map(String);
    warn.mockRestore();
    return lines;
  };

  test.each([true, 'gpt-4o-mini'])('[WIRE82] that nobody lends is told of: %s', (judge) => {
    expect(told({ judge })).toEqual([expect.stringContaining('modelJudge(client)')]);
  });

  test.each([undefined, false, () => 0.1])('[WIRE82] is not missed with %s', (judge) => {
    expect(told(judge === undefined ? {} : { judge })).toEqual([]);
  });
});
