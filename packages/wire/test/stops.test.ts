import { Breaker, InvalidOptionError, MemoryBudgetStore } from '@teamfuse/core';
import { describe, expect, test, vi } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { answerOf, said, user, Wiretap } from './support/wiretap.ts';

const POEM = 'Roses are red.';

/** A store that breaks down. */
class BrokenStore extends MemoryBudgetStore {
  override reserve(): never {
    throw new Error('the disk is full');
  }
}

describe('a guarded conversation', () => {
  test('[WIRE21] is stopped by hand before its next call', async () => {
    const wiretap = new Wiretap({ conversation: 'poem' });
    expect((await wiretap.ask([user('Write.')], POEM)).status).toBe(200);
    wiretap.breaker.stop('shutting down');
    const refused = await wiretap.ask([user('Write.'), said(POEM), user('Go on.')], POEM);
    expect(refused.status).toBe(402);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await refused.json()).toMatchObject({
      error: { code: 'TRIPPED', message: expect.stringContaining('shutting down') },
    });
    expect(wiretap.sent).toHaveLength(1);
  });

  test('[WIRE21] does not stop another one', async () => {
    const wiretap = new Wiretap();
    const [a, b] = ['a', 'b'].map((id) => ({ 'x-teamfuse-conversation': id }));
    await wiretap.ask([user('Write.')], POEM, a);
    wiretap.breaker.conversation('a').stop();
    expect((await wiretap.ask([user('Write on.')], POEM, a)).status).toBe(402);
    expect((await wiretap.ask([user('Write on.')], POEM, b)).status).toBe(200);
  });

  test('[WIRE22] is refused a call that does not fit its budget before it is made', async () => {
    const wiretap = new Wiretap({}, { budget: { maxUsd: 0.0001 } });
    const refused = await wiretap.ask([user('Write a poem about the sea. '.repeat(100))], POEM);
    expect(refused.status).toBe(402);
    expect(wiretap.sent).toEqual([]);
    expect(wiretap.breaker.stopped.map(({ trip }) => trip?.kind)).toEqual(['budget']);
  });

  test('[WIRE22] may make a call that fits', async () => {
    const wiretap = new Wiretap({}, { budget: { maxUsd: 0.01 } });
    const answer = await wiretap.ask([user('Write a poem about the sea. '.repeat(100))], POEM);
    expect(answer.status).toBe(200);
    expect(wiretap.breaker.cost).toMatchObject({ tokens: 15, unpricedTokens: 0 });
  });

  test('[WIRE22] with calls side by side never takes more than its budget', async () => {
    const wiretap = new Wiretap({ conversation: 'poem' }, { budget: { maxTokens: 60 } });
    const ask = (i: number): Promise<Response> => wiretap.ask([user(`Write poem ${i}.`)], POEM);
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(i)));
    expect(statuses.map(({ status }) => status)).toContain(402);
    expect(wiretap.breaker.cost.tokens).toBeLessThanOrEqual(60 + 15 * wiretap.sent.length);
    expect(wiretap.sent.length).toBeLessThan(30);
  });
});

describe('a guard that fails', () => {
  test('[WIRE23] lets the call through, and says so', async () => {
    const onError = vi.fn();
    const options = { onError, agent: () => JSON.parse('{') };
    const wiretap = new Wiretap(options);
    expect((await wiretap.ask([user('Write.')], POEM)).status).toBe(200);
    expect(onError.mock.calls).toMatchObject([[expect.any(SyntaxError)]]);
  });

  test.each([
    ['throws', () => JSON.parse('{')],
    ['rejects', async () => JSON.parse('{')],
  ])('[WIRE23] lets the call through where its onError %s', async (_, onError) => {
    const wiretap = new Wiretap({ onError, agent: () => JSON.parse('{') });
    expect((await wiretap.ask([user('Write.')], POEM)).status).toBe(200);
  });

  test('[WIRE23] refuses the call where it is to fail closed', async () => {
    const onError = vi.fn();
    const wiretap = new Wiretap({ onError, agent: () => JSON.parse('{'), failMode: 'closed' });
    const refused = await wiretap.ask([user('Write.')], POEM);
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain('failMode is closed');
    expect(wiretap.sent).toEqual([]);
    expect(onError).toHaveBeenCalledOnce();
  });

  test.each([
    ['open', 200],
    ['closed', 402],
  ] as const)('[WIRE23] with a store that throws fails %s', async (failMode, status) => {
    const onError = vi.fn();
    const budget = { maxUsd: 1, store: new BrokenStore() };
    const wiretap = new Wiretap({ failMode, onError }, { budget });
    wiretap.breaker.on('error', () => {});
    expect((await wiretap.ask([user('Write.')], POEM)).status).toBe(status);
    expect(String(onError.mock.calls)).toContain('the disk is full');
  });
});

describe('guardFetch', () => {
  test.each([
    ['agent', 7],
    ['conversation', {}],
    ['refusal', 'polite'],
    ['stopWord', null],
    ['fetch', 'fetch'],
    ['streamUsage', 'yes'],
    ['failMode', 'ajar'],
    ['onError', true],
    ['refusals', 'error'],
  ])('[WIRE24] refuses the option %s: %j', (option, value) => {
    const make = (): unknown => guardFetch(new Breaker(), { [option]: value });
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(option);
  });

  test('[WIRE24] refuses anything but a breaker', () => {
    expect(() => guardFetch({} as Breaker)).toThrow("option 'breaker': expected a Breaker");
  });

  test.each([
    [60_000, 12],
    [5_000, 3],
  ])(
    '[LAP18] of an agent that polls in writing every %i ms sends %i requests of 12',
    async (pauseMs, sent) => {
      let now = 0;
      const wiretap = new Wiretap({}, { now: () => now });
      const look = 'The job is not done, so I look again.\nAction: status[42]';
      const history = [user('Run job 42 and report.')];
      for (let turn = 0; turn < 12; turn++) {
        wiretap.next = () => {
          now += 3000;
          return Response.json(answerOf(said(look)));
        };
        await wiretap.ask(history, look);
        now += pauseMs;
        history.push(said(look), user('Observation: job 42 is pending'));
      }
      expect(wiretap.sent).toHaveLength(sent);
    },
  );
});
