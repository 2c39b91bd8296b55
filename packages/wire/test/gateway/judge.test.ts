import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';

interface Asked {
  readonly body: { readonly model: string; readonly messages: readonly { content: string }[] };
  readonly headers: Headers;
}

const STALE = [
  'Good point, I will look into the report soon.',
  'Thank you, I am going to look into this report soon.',
  'Sure, the report, I will soon look into it.',
  'Right, I will be looking into the report very soon.',
];

/** A team of one at a gateway whose upstream also answers as the judge. Returns what the judge was asked. */
async function talk(
  probability: number,
  {
    options = {},
    judgeKey,
    path = '/v1/chat/completions',
    told,
    headers: more,
  }: Partial<Talk> = {},
) {
  const asked: Asked[] = [];
  let said = 0;
  const next = (): string => STALE[said++ % STALE.length] as string;
  const breaker = new Breaker({ judge: true, ...options });
  if (told) breaker.on('error', ({ error }) => told(error));
  const upstream: typeof fetch = async (_, init) => {
    const body = JSON.parse(await new Response(init?.body).text());
    const isQuestion = JSON.stringify(body).includes('Does this team of AI agents go in circles');
    if (isQuestion) asked.push({ body, headers: new Headers(init?.headers) });
    const content = isQuestion ? JSON.stringify({ probability, reason: 'stale' }) : next();
    const message = { role: 'assistant', content };
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 100,
      input_tokens: 1000,
      output_tokens: 100,
    };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const blocks = [{ type: 'text', text: content }];
    return Response.json({ choices, content: blocks, stop_reason: 'end_turn', usage });
  };
  const gateway = createGateway({
    upstream: 'https://api.example',
    breaker,
    fetch: upstream,
    ...(judgeKey && { judgeKey }),
  });
  const messages: object[] = [{ role: 'user', content: 'Read the report.' }];
  let status = 200;
  for (let i = 0; i < 14 && status === 200; i++) {
    const init = { method: 'POST', body: JSON.stringify({ model: 'gpt-4o-mini', messages }) };
    const headers = { authorization: 'Bearer sk-caller', 'x-teamfuse-agent': 'reader', ...more };
    const request = new Request(`http://127.0.0.1${path}`, { ...init, headers });
    status = (await gateway.fetch(request)).status;
    await Promise.all(breaker.internals.conversations.all.map((one) => one.answered()));
    messages.push({ role: 'assistant', content: STALE[i % STALE.length] as string });
  }
  return { asked, breaker, status };
}

interface Talk {
  readonly options: BreakerOptions;
  readonly judgeKey: string;
  readonly path: string;
  readonly told: (error: unknown) => void;
  readonly headers: Readonly<Record<string, string>>;
}

const calm: BreakerOptions = { repetition: false, speakerCycle: false };

describe('a judge at a gateway', () => {
  test('[GWY12] is the model of the conversation, asked with the key of its caller', async () => {
    const { asked, breaker, status } = await talk(1, { options: calm });
    expect(status).toBe(402);
    expect(breaker.stopped.map(({ trip }) => trip?.basis)).toEqual(['judged']);
    expect(asked[0]?.body.model).toBe('gpt-4o-mini');
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer sk-caller');
    expect(asked[0]?.headers.has('x-teamfuse-agent')).toBe(false);
    expect(JSON.stringify(breaker.snapshot())).not.toContain('sk-caller');
  });

  test('[GWY12] that says no lets the team go on, is paid as a judge and is no conversation', async () => {
    const { asked, breaker, status } = await talk(0, { options: calm });
    expect(status).toBe(200);
    expect(asked.length).toBeGreaterThan(0);
    const { questions, cost } = breaker.judged;
    expect([questions, cost.tokens]).toEqual([asked.length, 1100 * asked.length]);
    expect(cost.nanoUsd).toBeGreaterThan(0);
    expect(breaker.internals.conversations.others).toHaveLength(1);
  });

  test('[GWY32] whose answer cannot be used is paid all the same, and told', async () => {
    const errors: string[] = [];
    const told = (error: unknown): number => errors.push(String(error));
    const { asked, breaker } = await talk(Number.NaN, { options: calm, told });
    expect(asked.length).toBeGreaterThan(0);
    expect(breaker.judged.cost.tokens).toBe(1100 * asked.length);
    expect(errors).toHaveLength(asked.length);
    expect(errors[0]).toContain('expected a probability from 0 to 1');
  });

  test('[GWY33] is asked with the headers of the API, and none of the one call', async () => {
    const own = { cookie: 'session=abc', 'idempotency-key': 'one', 'x-request-id': 'r1' };
    const kept = { 'openai-organization': 'org', 'user-agent': 'app/1' };
    const { asked } = await talk(0, { options: calm, headers: { ...own, ...kept } });
    const sent = Object.fromEntries(asked[0]?.headers ?? []);
    expect(sent).toMatchObject({ ...kept, authorization: 'Bearer sk-caller' });
    for (const name of Object.keys(own)) expect(sent).not.toHaveProperty(name);
  });

  test("[GWY12] asks another model, with another key, over the conversation's own API", async () => {
    const options = { ...calm, judge: 'claude-haiku' };
    const { asked } = await talk(0, { options, judgeKey: 'sk-judge', path: '/v1/messages' });
    expect(asked[0]?.body.model).toBe('claude-haiku');
    expect(asked[0]?.body).toMatchObject({ max_tokens: 1024, messages: [{ role: 'user' }] });
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer sk-judge');
  });

  test('[GWY12] is nobody where the options ask for none', async () => {
    expect((await talk(1, { options: { ...calm, judge: false } })).asked).toEqual([]);
  });
});
