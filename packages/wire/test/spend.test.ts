import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { guardFetch } from '../src/index.ts';

const HELLO = [{ role: 'user', content: 'hello' }];
const CHAT = 'https://api.example/v1/chat/completions';
const MESSAGES = 'https://api.example/v1/messages';
const RESPONSES = 'https://api.example/v1/responses';
const ANSWERED = { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' };

function chatAnswer(usage: object, more: object = {}): object {
  return { choices: [ANSWERED], usage, ...more };
}

function messagesAnswer(usage: object): object {
  return { content: [{ type: 'text', text: 'x' }], stop_reason: 'end_turn', usage };
}

function post(url: string, body: object, more: RequestInit = {}): [string, RequestInit] {
  return [url, { method: 'POST', body: JSON.stringify(body), ...more }];
}

/** What a breaker books of one call. */
async function bookedOf(url: string, body: object, answer: object) {
  const breaker = new Breaker();
  const fetch = guardFetch(breaker, { fetch: async () => Response.json(answer) });
  await (await fetch(...post(url, body))).text();
  return breaker.cost;
}

/** What is reserved for a call, in dollars, while the endpoint has not answered. */
async function reservedFor(
  url: string,
  body: object,
  before: readonly (readonly [body: object, answer: object])[] = [],
) {
  const breaker = new Breaker({ budget: { maxUsd: 1_000 } });
  const answers = before.map(([, answer]) => answer);
  let reserved = 0;
  const fetch = guardFetch(breaker, {
    fetch: async () => {
      reserved = internalsOf(breaker).reserved().nanoUsd / 1e9;
      return Response.json(
        answers.shift() ?? chatAnswer({ prompt_tokens: 1, completion_tokens: 1 }),
      );
    },
  });
  for (const asked of [...before.map(([earlier]) => earlier), body]) {
    await (await fetch(...post(url, asked))).text();
  }
  return reserved;
}

describe('what a call is booked at', () => {
  it('[WIRE60] counts what was written to a cache, sound, searches and tiers at their prices', async () => {
    const opus = { model: 'claude-opus-4-6', max_tokens: 9, messages: HELLO };
    const written = { input_tokens: 5, output_tokens: 500, cache_creation_input_tokens: 20_000 };
    // 5 at 5, 20,000 at 6.25 and 500 at 25 dollars a million.
    expect((await bookedOf(MESSAGES, opus, messagesAnswer(written))).nanoUsd).toBe(137_525_000);
    const hour = { ...written, cache_creation: { ephemeral_1h_input_tokens: 20_000 } };
    expect((await bookedOf(MESSAGES, opus, messagesAnswer(hour))).nanoUsd).toBe(212_525_000);
    const searched = {
      input_tokens: 5,
      output_tokens: 1,
      server_tool_use: { web_search_requests: 5 },
    };
    expect((await bookedOf(MESSAGES, opus, messagesAnswer(searched))).nanoUsd).toBe(50_050_000);
    const batch = { input_tokens: 1_000, output_tokens: 100, service_tier: 'batch' };
    expect(await bookedOf(MESSAGES, opus, messagesAnswer(batch))).toMatchObject({
      nanoUsd: 3_750_000,
      isEstimate: true,
    });
    const sound = {
      prompt_tokens: 1_000,
      completion_tokens: 1_000,
      prompt_tokens_details: { audio_tokens: 1_000 },
      completion_tokens_details: { audio_tokens: 1_000 },
    };
    const spoken = { model: 'gpt-4o-audio-preview', messages: HELLO };
    // The list does not know 40 and 80 dollars a million, which are 16 and 8 times the price of text.
    expect(await bookedOf(CHAT, spoken, chatAnswer(sound))).toMatchObject({
      nanoUsd: 120_000_000,
      isEstimate: true,
    });
  });

  it('[WIRE60] goes by the model that answered, whole and streamed', async () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 1_000 };
    const asked = { model: 'gpt-4o-mini', messages: HELLO };
    const whole = await bookedOf(CHAT, asked, chatAnswer(usage, { model: 'o1-pro' }));
    expect(whole.nanoUsd).toBe(750_000_000);
    const breaker = new Breaker();
    const delta = { index: 0, delta: { content: 'hi' }, finish_reason: 'stop' };
    const chunks = [
      { model: 'o1-pro', choices: [delta] },
      { model: 'o1-pro', choices: [], usage },
    ];
    const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    const headers = { 'content-type': 'text/event-stream' };
    const fetch = guardFetch(breaker, { fetch: async () => new Response(events, { headers }) });
    await (await fetch(...post(CHAT, { ...asked, stream: true }))).text();
    expect(breaker.cost.nanoUsd).toBe(750_000_000);
  });

  it('[WIRE60] keeps what the first event of a stream told where later ones leave it out', async () => {
    const breaker = new Breaker();
    const usage = { input_tokens: 5, cache_creation_input_tokens: 20_000, output_tokens: 1 };
    const events = [
      { type: 'message_start', message: { model: 'claude-opus-4-6', usage } },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: null, cache_creation_input_tokens: null, output_tokens: 500 },
      },
    ].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    const headers = { 'content-type': 'text/event-stream' };
    const fetch = guardFetch(breaker, {
      fetch: async () => new Response(events.join(''), { headers }),
    });
    const asked = { model: 'claude-opus-4-6', max_tokens: 9, messages: HELLO, stream: true };
    await (await fetch(...post(MESSAGES, asked))).text();
    expect(breaker.cost).toMatchObject({ nanoUsd: 137_525_000, isEstimate: false });
  });

  it('[WIRE61] is its prompt where the caller leaves before there is an answer', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 5 } });
    const fetch = guardFetch(breaker, {
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    const asked = { model: 'claude-opus-4-6', max_tokens: 32_000, messages: HELLO, stream: true };
    for (let call = 0; call < 20; call++) {
      const caller = new AbortController();
      const sent = fetch(...post(MESSAGES, asked, { signal: caller.signal }));
      setImmediate(() => caller.abort());
      await expect(sent).rejects.toThrow();
    }
    expect(breaker.cost.nanoUsd).toBeLessThan(1_000_000);
    expect(breaker.cost.isEstimate).toBe(true);
    expect(internalsOf(breaker).reserved().nanoUsd).toBe(0);
  });
});

describe('what is reserved for a call', () => {
  const asked = { model: 'gpt-4o', messages: HELLO, max_tokens: 1_000 };

  it('[WIRE62] counts all answers that are asked for, and limits that are text', async () => {
    expect(await reservedFor(CHAT, asked)).toBeCloseTo(0.01, 3);
    expect(await reservedFor(CHAT, { ...asked, n: 128 })).toBeCloseTo(1.28, 2);
    expect(await reservedFor(CHAT, { ...asked, max_tokens: '100000' })).toBeCloseTo(1, 2);
    expect(await reservedFor(CHAT, { ...asked, max_tokens: null })).toBeCloseTo(0.041, 3);
  });

  it('[WIRE62] counts tools, pictures and documents', async () => {
    const tools = Array.from({ length: 100 }, (_, i) => ({
      type: 'function',
      function: { name: `t${i}`, description: 'word '.repeat(300), parameters: {} },
    }));
    // Each has about 1,600 characters, 400 tokens: 40,000 at 2.50 dollars a million.
    expect(await reservedFor(CHAT, { ...asked, tools, max_tokens: 1 })).toBeCloseTo(0.1, 2);
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const shown = [{ role: 'user', content: Array.from({ length: 20 }, () => picture) }];
    const seen = await reservedFor(CHAT, { ...asked, messages: shown, max_tokens: 1 });
    expect(seen).toBeGreaterThan(0.072);
    const document = { type: 'document', source: { type: 'base64', data: 'A'.repeat(1_600_000) } };
    const read = { ...asked, model: 'claude-opus-4-6', max_tokens: 1 };
    const messages = [{ role: 'user', content: [document] }];
    expect(await reservedFor(MESSAGES, { ...read, messages })).toBeGreaterThan(0.5);
  });

  it.each([
    ['an earlier answer', { previous_response_id: 'r1' }],
    ['a conversation', { conversation: { id: 'conv_1' } }],
  ])(
    '[WIRE62] counts what the server keeps of %s, as a long history until it is known',
    async (_, kept) => {
      const answer = {
        id: 'r2',
        status: 'completed',
        output: [],
        usage: { input_tokens: 100_000, output_tokens: 10 },
      };
      const body = { model: 'gpt-4o', input: 'go', max_output_tokens: 10, ...kept };
      expect(await reservedFor(RESPONSES, body)).toBeCloseTo(0.041, 3);
      expect(await reservedFor(RESPONSES, body, [[body, answer]])).toBeCloseTo(0.25, 2);
    },
  );

  it('[WIRE62] counts a prompt that the last answer says is cached at the price of the cache', async () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 150_000, output_tokens: 50 };
    const messages = [{ role: 'user', content: 'lorem ipsum '.repeat(50_000) }];
    const body = { model: 'claude-opus-4-6', max_tokens: 200, messages };
    const more = [
      ...messages,
      { role: 'assistant', content: 'x' },
      { role: 'user', content: 'Go on.' },
    ];
    // 150,000 at 0.50 dollars a million instead of 5.
    const reserved = await reservedFor(MESSAGES, { ...body, messages: more }, [
      [body, messagesAnswer(usage)],
    ]);
    expect(reserved).toBeCloseTo(0.08, 2);
  });
});

describe('a call in the background', () => {
  const ask = (options: BreakerOptions, asked: object) => {
    const answer = { id: 'r', status: 'queued', output: [], usage: null };
    const fetch = guardFetch(new Breaker(options), { fetch: async () => Response.json(answer) });
    return fetch(...post(RESPONSES, { model: 'gpt-4o', input: 'go', ...asked }));
  };

  it('[WIRE63] is refused while a budget is set, as what it takes is told to nobody', async () => {
    const refused = await ask({ budget: { maxUsd: 5 } }, { background: true });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('background');
    expect((await ask({ budget: { maxUsd: 5 } }, { background: false })).status).toBe(200);
    expect((await ask({}, { background: true })).status).toBe(200);
  });
});
