import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { Hook, type Received, silence, status } from './support/hook.ts';
import { notified, settled, TIMEOUT_MS, until } from './support/notified.ts';

const BASE64 = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const idOf = ({ headers }: Received): string | undefined => headers['webhook-id'];

describe('a signature', () => {
  it('[NTF4] is one of Standard Webhooks', async () => {
    await using hook = await Hook.open();
    const secret = `whsec_${BASE64}`;
    // Receivers refuse what is older than five minutes by their own clock.
    const all = notified({ url: hook.url, secret, now: Date.now });
    all.breaker.stop('enough, ça suffit 🙂');
    await settled(all);
    const [{ text, headers }] = hook.received as [Received];
    expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
    expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
    expect(() => new Webhook(`whsec_${BASE64.toLowerCase()}`).verify(text, headers)).toThrow();
  });

  it('[NTF4] may be by a secret that is no base64', async () => {
    await using hook = await Hook.open();
    const secret = 'correct horse battery staple';
    const all = notified({ url: hook.url, secret, now: Date.now });
    all.breaker.stop('enough');
    await settled(all);
    const [{ text, headers }] = hook.received as [Received];
    expect(() => new Webhook(secret, { format: 'raw' }).verify(text, headers)).not.toThrow();
  });

  it('[NTF4] is made anew for each attempt, with its time', async () => {
    await using hook = await Hook.open([status(503)]);
    const all = notified({ url: hook.url, secret: `whsec_${BASE64}` });
    all.breaker.stop('enough');
    await all.endPause();
    await settled(all);
    const [first, second] = hook.received as [Received, Received];
    const time = 'webhook-timestamp';
    expect(Number(second.headers[time]) - Number(first.headers[time])).toBe(1);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
  });

  it('[NTF4] is left out without a secret', async () => {
    await using hook = await Hook.open();
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    await settled(all);
    expect(hook.received[0]?.headers).not.toHaveProperty('webhook-signature');
  });
});

describe('an attempt that fails', () => {
  it.each([408, 409, 425, 429, 500, 502, 503])(
    '[NTF5] with %i is followed by another one with the same id',
    async (code) => {
      await using hook = await Hook.open([status(code), status(code)]);
      const all = notified({ url: hook.url });
      all.breaker.stop('enough');
      await all.endPause();
      await all.endPause();
      await settled(all);
      expect(hook.received).toHaveLength(3);
      expect(new Set(hook.received.map(idOf)).size).toBe(1);
      expect(new Set(hook.received.map(({ text }) => text)).size).toBe(1);
      expect(all.errors).toEqual([]);
    },
  );

  it('[NTF5] is one without an answer in time', async () => {
    await using hook = await Hook.open([silence]);
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    await until(() => hook.received.length === 1);
    all.clock.advance(TIMEOUT_MS);
    await all.endPause();
    await settled(all);
    expect(hook.received.map(idOf)).toHaveLength(2);
    expect(all.clock.waiting).toBe(0);
  });

  it('[NTF5] is one whose fetch does not heed its signal', async () => {
    const all = notified({
      url: 'https://hooks.example',
      attempts: 1,
      fetch: () => new Promise(() => {}),
    });
    all.breaker.stop('enough');
    await until(() => all.clock.waiting === 1);
    all.clock.advance(TIMEOUT_MS);
    await settled(all);
    expect(all.errors[0]?.message).toBe(`a trip was not told: no answer within ${TIMEOUT_MS} ms`);
  });

  it('[NTF5] is one whose connection breaks', async () => {
    await using hook = await Hook.open([(response) => void response.socket?.destroy()]);
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    await all.endPause();
    await settled(all);
    expect(hook.received).toHaveLength(2);
  });

  it('[NTF5] ends a message when it was the last one', async () => {
    await using hook = await Hook.open([status(500), status(500), status(503)]);
    const all = notified({ url: hook.url, attempts: 3 });
    const trip = all.breaker.stop('enough');
    await all.endPause();
    await all.endPause();
    await settled(all);
    expect(all.errors).toMatchObject([{ code: 'UNREACHABLE', status: 503, trip }]);
    expect(all.errors[0]?.message).toBe(
      'a trip was not told: 3 attempts failed, at last: the server answered with status 503',
    );
    expect(hook.received).toHaveLength(3);
  });

  it('[NTF5] says what is known of a server that is not there', async () => {
    const hook = await Hook.open();
    const { url } = hook;
    await hook[Symbol.asyncDispose]();
    const all = notified({ url, attempts: 1 });
    all.breaker.stop('enough');
    await settled(all);
    expect(all.errors[0]?.message).toBe('a trip was not told: the request failed (ECONNREFUSED)');
  });
});

describe('the pause before an attempt', () => {
  it('[NTF6] doubles up to a minute', async () => {
    await using hook = await Hook.open(Array.from({ length: 9 }, () => status(500)));
    const all = notified({ url: hook.url, attempts: 9 });
    all.breaker.stop('enough');
    const pauses: number[] = [];
    for (let n = 0; n < 8; n++) pauses.push((await all.endPause()) / 1_000);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    await settled(all);
  });

  it('[NTF6] is half as long where chance has it so', async () => {
    await using hook = await Hook.open([status(500)]);
    const all = notified({ url: hook.url, random: () => 0 });
    all.breaker.stop('enough');
    expect(await all.endPause()).toBe(500);
    await settled(all);
  });

  it.each([
    ['90', 90_000],
    [' 2 ', 2_000],
    ['0', 1_000],
    ['86400', 300_000],
    ['Thu, 26 Nov 2026 22:01:30 GMT', 90_000],
    ['Thu, 26 Nov 2026 23:30:00 GMT', 300_000],
    ['Thu, 26 Nov 2020 23:30:00 GMT', 1_000],
    ['soon', 1_000],
    ['-5', 1_000],
  ])('[NTF6] follows Retry-After: %s', async (header, ms) => {
    await using hook = await Hook.open([status(429, { 'retry-after': header })]);
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    expect(await all.endPause()).toBe(ms);
    await settled(all);
    expect(hook.received).toHaveLength(2);
  });
});

describe('an answer that ends a message', () => {
  it.each([400, 401, 403, 404, 410, 413, 422])('[NTF7] is %i', async (code) => {
    await using hook = await Hook.open([status(code)]);
    const all = notified({ url: hook.url });
    const trip = all.breaker.stop('enough');
    await settled(all);
    expect(hook.received).toHaveLength(1);
    expect(all.errors).toMatchObject([{ code: 'REFUSED', status: code, trip }]);
  });

  it.each([301, 302, 303, 307, 308])('[NTF7] is a redirect: %i', async (code) => {
    await using elsewhere = await Hook.open();
    await using hook = await Hook.open([status(code, { location: elsewhere.url })]);
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    await settled(all);
    expect(elsewhere.received).toEqual([]);
    expect(all.errors[0]?.message).toBe(
      'a trip was not told: the server redirects, which is not followed',
    );
  });

  it.each([200, 201, 202, 204])('[NTF7] is %i, and then it is told', async (code) => {
    await using hook = await Hook.open([status(code)]);
    const all = notified({ url: hook.url });
    all.breaker.stop('enough');
    await settled(all);
    expect([all.errors, all.notifier.lost, hook.received.length]).toEqual([[], 0, 1]);
  });
});
