import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { notifyTrips } from '../src/index.ts';
import { Hook, silence, status } from './support/hook.ts';
import { notified, settled, until } from './support/notified.ts';

const call = { kind: 'tool-call', agent: 'clerk', tool: 'find', args: {} } as const;

describe('what is sent', () => {
  it('[NTF1] is a trip as JSON', async () => {
    await using hook = await Hook.open();
    const { url } = hook;
    const all = notified({ url, attributes: { team: 'research' } }, { budget: { maxUsd: 1 } });
    const chat = all.breaker.conversation('chat 1');
    const usage = { kind: 'usage', agent: 'ann', model: 'gpt-4o' } as const;
    chat.observe({ ...usage, inputTokens: 100, outputTokens: 10, costUsd: 1.5 });
    await settled(all);
    expect(hook.bodies).toEqual([
      {
        type: 'teamfuse.trip',
        timestamp: '2026-11-26T22:00:00.000Z',
        data: {
          conversation: 'chat 1',
          kind: 'budget',
          basis: 'declared',
          reason: 'the budget of $1.00 is used up: $1.50 spent',
          agents: ['ann'],
          spent: { usd: 1.5, tokens: 110, unpricedTokens: 0, isEstimate: false },
          suggestion: 'To continue, call breaker.raise({ maxUsd: 3 }).',
          attributes: { team: 'research' },
        },
      },
    ]);
    const [{ method, path, headers }] = hook.received as [(typeof hook.received)[number]];
    expect([method, path, headers['content-type']]).toEqual([
      'POST',
      '/s3cret-path',
      'application/json',
    ]);
  });

  it('[NTF1] names the purse that is exhausted', async () => {
    await using hook = await Hook.open();
    const all = notified({ url: hook.url }, { budget: { agents: { ann: { maxUsd: 1 } } } });
    all.breaker.trackCost(2, 'ann');
    await settled(all);
    expect(hook.bodies[0]?.data).toMatchObject({ purse: 'agent:ann', attributes: {} });
  });

  it('[NTF1] is sent once for each trip, by an id of its own', async () => {
    await using hook = await Hook.open();
    const all = notified({ url: hook.url });
    for (const id of ['chat 1', 'chat 2']) {
      const chat = all.breaker.conversation(id);
      chat.stop('enough');
      chat.stop('enough');
      chat.admit(call);
    }
    await settled(all);
    const ids = hook.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['chat 1', 'chat 2']);
  });

  it.each(['json', 'slack'] as const)(
    '[NTF2] quotes nothing without excerpts: %s',
    async (form) => {
      await using hook = await Hook.open();
      const all = notified({ url: hook.url, form }, { excerpts: false });
      for (let n = 0; n < 20; n++) {
        all.breaker.observe({ ...call, tool: 'hush', result: 'silence' });
      }
      await settled(all);
      expect(hook.received).toHaveLength(1);
      expect(hook.received[0]?.text).not.toMatch(/hush|silence/);
    },
  );

  it.each(['json', 'slack'] as const)('[NTF2] tells no secret: %s', async (form) => {
    const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
    await using hook = await Hook.open();
    const all = notified({ url: hook.url, form });
    const error = { message: `no access for ${secret} here` };
    for (let n = 0; n < 20; n++) all.breaker.observe({ ...call, args: { n }, error });
    await settled(all);
    expect(hook.received[0]?.text).toContain('no access for');
    expect(hook.received[0]?.text).not.toContain(secret);
  });

  it('[NTF13] is of a tenant alone, where its breaker is given', async () => {
    await using hook = await Hook.open();
    const breaker = new Breaker({ judge: false });
    const notifier = notifyTrips(breaker.for({ user: 'ann' }), { url: hook.url });
    breaker.for({ user: 'bob' }).conversation('chat 1').stop('enough');
    breaker.for({ user: 'ann' }).conversation('chat 1').stop('enough');
    await settled({ notifier });
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['user:ann/chat 1']);
    expect(hook.bodies[0]?.data.spent).toEqual({
      usd: 0,
      tokens: 0,
      unpricedTokens: 0,
      isEstimate: false,
    });
  });
});

describe('a run', () => {
  it('[NTF10] does not wait for a server that never answers', async () => {
    await using hook = await Hook.open([silence]);
    const all = notified({ url: hook.url }, { maxMessages: 1 });
    const trip = all.breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    expect(trip?.kind).toBe('limit');
    await until(() => hook.received.length === 1);
    all.breaker.observe({ kind: 'message', agent: 'ann', text: 'Still here.' });
    expect(all.breaker.counters.messages).toBe(2);
    expect(all.notifier.pending).toBe(1);
  });

  it('[NTF10] is not entered by what sends, while the breaker emits', async () => {
    await using hook = await Hook.open();
    let isEmitting = false;
    const during: boolean[] = [];
    const all = notified({
      url: hook.url,
      fetch: (...request) => {
        during.push(isEmitting);
        return fetch(...request);
      },
    });
    isEmitting = true;
    all.breaker.stop('enough');
    isEmitting = false;
    await settled(all);
    expect(during).toEqual([false]);
  });

  it.each([
    ['a fetch that throws', { fetch: fails }],
    ['a fetch that gives nothing', { fetch: (() => undefined) as never }],
    ['a clock that throws', { now: fails }],
    ['timers that throw', { timers: { set: fails, clear: fails } }],
    ['a random that throws', { random: fails, fetch: fails, timers: quick() }],
  ])('[NTF10] goes on with %s', async (_, options) => {
    const all = notified({ url: 'http://127.0.0.1:9', attempts: 2, timers: quick(), ...options });
    expect(all.breaker.stop('enough').reason).toBe('enough');
    await settled(all);
    expect(all.errors.map(({ code }) => code)).toEqual(['UNREACHABLE']);
    expect(all.notifier.lost).toBe(1);
  });

  it('[NTF12] is told of no more once it is stopped', async () => {
    await using hook = await Hook.open([status(500)]);
    const all = notified({ url: hook.url });
    all.breaker.conversation('before').stop('enough');
    all.notifier.stop();
    all.notifier.stop();
    all.breaker.conversation('after').stop('enough');
    await all.endPause();
    await settled(all);
    expect(hook.bodies.map(({ data }) => data.conversation)).toEqual(['before', 'before']);
    expect(all.notifier.lost).toBe(0);
  });
});

function fails(): never {
  throw new Error('no');
}

/** Timers that ring at once, but for time limits. */
function quick() {
  return {
    set: (ring: () => void, ms: number) => (ms < 7_000 ? setImmediate(ring) : undefined),
    clear: () => {},
  };
}
