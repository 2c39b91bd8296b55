import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { ModelEndpoint } from './support/model-endpoint.ts';

const POEM = { text: 'Roses are red, violets are blue.' };
const asked = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Write.' }],
  stream: true,
};

async function stream(endpoint: ModelEndpoint, body: object, streamUsage = true) {
  const breaker = new Breaker();
  const fetch = guardFetch(breaker, { streamUsage });
  const url = `${endpoint.url}/v1/chat/completions`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  return { breaker, text, sent: endpoint.got[0]?.body };
}

describe('the usage of a stream', () => {
  test('[WIRE20] is asked for, and kept from a caller who did not ask', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const { breaker, text, sent } = await stream(endpoint, asked);
    expect(sent).toEqual({ ...asked, stream_options: { include_usage: true } });
    expect(text).not.toContain('usage');
    expect(text.match(/^data: /gm)?.length).toBeGreaterThan(4);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
    expect(breaker.cost.isEstimate).toBe(false);
  });

  test('[WIRE20] passes to a caller who asked for it', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const own = { ...asked, stream_options: { include_usage: true, include_obfuscation: false } };
    const { breaker, text, sent } = await stream(endpoint, own);
    expect(sent).toEqual(own);
    expect(text).toContain('"usage"');
    expect(breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
  });

  test('[WIRE20] keeps the other options of the stream', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const own = { ...asked, stream_options: { include_obfuscation: false } };
    const { sent } = await stream(endpoint, own);
    expect(sent.stream_options).toEqual({ include_obfuscation: false, include_usage: true });
  });

  test('[WIRE20] is not asked for without streamUsage, and estimated then', async () => {
    await using endpoint = await ModelEndpoint.start(() => POEM);
    const { breaker, sent } = await stream(endpoint, asked, false);
    expect(sent).toEqual(asked);
    expect(breaker.cost.isEstimate).toBe(true);
    expect(breaker.cost.tokens).toBeGreaterThan(0);
  });
});
