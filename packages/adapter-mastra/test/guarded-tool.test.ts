import type { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { guard } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { looking } from './support/looking.ts';
import { agent, model } from './support/scripted.ts';

const LOOKS = 6;

const WAYS: Readonly<Record<string, (own: Agent, options: object) => Promise<unknown>>> = {
  'generate()': (own, options) => own.generate('Look.', options),
  'stream()': async (own, options) => (await own.stream('Look.', options)).consumeStream(),
};

describe.each(Object.keys(WAYS))('a tool under guard() with %s', (way) => {
  /** Where it has looked in the end. */
  async function looksOf(place: (at: number) => string, options: object = {}): Promise<string[]> {
    const seen: string[] = [];
    const execute = guard(async ({ at }: { at: string }, _context: unknown) => {
      seen.push(at);
      return 'blue';
    });
    const inputSchema = z.object({ at: z.string() });
    const look = createTool({ id: 'look', description: 'Looks.', inputSchema, execute });
    const own = agent('watcher', model('v3', 'scripted', looking(LOOKS, place)), { look });
    await WAYS[way]?.(own as unknown as Agent, { maxSteps: LOOKS, ...options });
    return seen;
  }

  it('[MAS12] is not called a third time for the same, whatever comes with its input', async () => {
    const requestContext = new RequestContext([['user', 'ann']]);
    const { signal: abortSignal } = new AbortController();
    expect(await looksOf(() => 'sky')).toEqual(['sky', 'sky']);
    expect(await looksOf(() => 'sky', { requestContext, abortSignal })).toEqual(['sky', 'sky']);
  });

  it('[MAS12] is called for all that differs', async () => {
    expect(await looksOf((at) => `field ${at}`)).toHaveLength(LOOKS);
  });
});
