import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';

const usage = { input_tokens: 100_000, output_tokens: 2_000 };
const COMPACTED = { id: 'resp_2', object: 'response.compaction', output: [], usage };
const asked = { model: 'gpt-4o', input: [{ role: 'user', content: 'Port all modules.' }] };

/** Asks for a shorter history, and for an answer before. */
function session(options: BreakerOptions = {}) {
  const breaker = new Breaker(options);
  const sent: string[] = [];
  const fetch = guardFetch(breaker, {
    refusal: 'answer',
    conversation: 'port',
    fetch: async (_, init) => {
      sent.push(String(init?.body));
      return Response.json(COMPACTED);
    },
  });
  const compact = (): Promise<Response> =>
    fetch('https://api.example/v1/responses/compact', {
      method: 'POST',
      body: JSON.stringify(asked),
    });
  return { breaker, compact, sent };
}

describe('a compaction of Responses', () => {
  test('[WIRE102] is booked as what it took', async () => {
    const { breaker, compact } = session();
    expect(await (await compact()).json()).toEqual(COMPACTED);
    expect(breaker.cost).toMatchObject({ tokens: 102_000, isEstimate: false, unpricedTokens: 0 });
  });

  test('[WIRE102] that exceeds the budget is refused with an error, and not sent', async () => {
    const { compact, sent } = session({ budget: { maxUsd: 0.000_001 } });
    const refused = await compact();
    expect([refused.status, sent]).toEqual([402, []]);
  });
});
