import { describe, expect, test } from 'vitest';
import { ModelEndpoint, type Said } from '../../../wire/test/support/model-endpoint.ts';
import { AI_SDK } from './ai-sdk.ts';
import { type Guarding, WAYS } from './guarded-client.ts';
import { LANGGRAPH } from './langgraph.ts';
import { MASTRA } from './mastra.ts';
import { OPENAI_AGENTS } from './openai-agents.ts';
import type { SdkAgent } from './sdk.ts';

const SDKS: Readonly<Record<string, SdkAgent>> = {
  ...AI_SDK,
  ...OPENAI_AGENTS,
  ...LANGGRAPH,
  ...MASTRA,
};
const TASK = 'Find the orders.';
const FOUND = 'There are twelve pages of orders.';

/** Searches for the same thing for ever. */
const loops = (index: number): Said => ({
  calls: [{ id: `call_${index}`, tool: 'search', args: { query: 'orders' } }],
});

/** Searches page after page, and then answers. */
const pages = (index: number): Said =>
  index === 12
    ? { text: FOUND }
    : { calls: [{ id: `call_${index}`, tool: 'search', args: { query: 'orders', page: index } }] };

/** An agent of an SDK, and the way in which it is guarded. */
export interface Case {
  readonly sdk: string;
  readonly way: string;
}

/** A case of each SDK, some of each API. */
export const SOME: readonly Case[] = [
  { sdk: 'the AI SDK, Responses', way: 'guardFetch' },
  { sdk: 'the AI SDK, Messages, streamed', way: 'the gateway' },
  { sdk: 'OpenAI Agents, Responses, streamed', way: 'guardFetch' },
  { sdk: 'LangGraph, Chat Completions, streamed', way: 'the gateway' },
  { sdk: 'Mastra, Chat Completions', way: 'guardFetch' },
];

export const OTHERS: readonly Case[] = Object.keys(WAYS)
  .flatMap((way) => Object.keys(SDKS).map((sdk) => ({ sdk, way })))
  .filter((one) => !SOME.some(({ sdk, way }) => sdk === one.sdk && way === one.way));

/** Tests that agents are stopped, left alone and served as they are without a guard. */
export function testAgents(cases: readonly Case[]): void {
  describe.each(cases)('an agent of $sdk, guarded by $way,', ({ sdk, way: name }) => {
    const [agent, guarded] = [SDKS[sdk] as SdkAgent, WAYS[name] as Guarding];
    test('[SDK1] is stopped before the next call when it runs in circles', async () => {
      await using endpoint = await ModelEndpoint.start(loops);
      await using way = await guarded(endpoint.url);
      const statuses: number[] = [];
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const response = await way.client.fetch(input, init);
        statuses.push(response.status);
        return response;
      };
      const run = agent({ ...way.client, fetch }, { task: TASK, search: () => '{"orders":[]}' });
      const error = await run.catch((thrown: unknown) => thrown);
      expect(statusOf(error)).toBe(402);
      expect(way.breaker.stopped.map(({ trip }) => trip?.kind)).toEqual(['repetition']);
      expect(endpoint.got.length).toBeLessThan(6);
      expect(statuses.filter((status) => status === 402)).toHaveLength(1);
    });

    test('[SDK2] goes on when each call brings something new, billed to the token', async () => {
      await using endpoint = await ModelEndpoint.start(pages);
      await using way = await guarded(endpoint.url);
      const search = ({ page }: { readonly page?: number | null }): string => `order ${page} of 12`;
      expect(await agent(way.client, { task: TASK, search })).toBe(FOUND);
      expect(way.breaker.stopped).toEqual([]);
      expect(way.breaker.counters.toolCalls).toBe(12);
      expect(way.breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
    });

    test('[SDK3] ends in good order with an answer that refuses', async () => {
      await using endpoint = await ModelEndpoint.start(loops);
      await using way = await guarded(endpoint.url, { refusal: 'answer', stopWord: 'DONE' });
      const answer = await agent(way.client, { task: TASK, search: () => 'none' });
      expect(answer).toMatch(/^Stopped: .+\.\n\nDONE$/s);
      expect(endpoint.got.length).toBeLessThan(6);
    });

    test('[SDK4] has a call that failed tried again by its SDK, in one conversation', async () => {
      const script = (i: number): Said => (i === 0 ? { status: 500 } : { text: FOUND });
      await using endpoint = await ModelEndpoint.start(script);
      await using way = await guarded(endpoint.url);
      const conversations = new Set<string>();
      way.breaker.on('signal', ({ conversation }) => conversations.add(conversation));
      expect(await agent(way.client, { task: TASK, search: () => '' })).toBe(FOUND);
      expect(endpoint.got).toHaveLength(2);
      expect(conversations.size).toBe(1);
    });

    test.runIf(sdk.endsWith('streamed'))('[SDK5] ends its call when it is aborted', async () => {
      await using endpoint = await ModelEndpoint.start(() => ({ text: FOUND, stopsAfter: 2 }));
      await using way = await guarded(endpoint.url);
      const leaving = new AbortController();
      const run = agent(way.client, { task: TASK, search: () => '', signal: leaving.signal });
      const failed = expect(run).rejects.toThrow(/abort/i);
      await expect.poll(() => endpoint.got.length).toBe(1);
      leaving.abort();
      await failed;
      await expect.poll(() => endpoint.left).toBe(1);
      expect(endpoint.got).toHaveLength(1);
      expect(way.breaker.stopped).toEqual([]);
    });
  });
}

/** The HTTP status that an error of an SDK names. */
function statusOf(error: unknown): unknown {
  const { status, statusCode } = Object(error);
  return status ?? statusCode ?? error;
}
