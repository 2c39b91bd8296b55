import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerEventMap } from '../../src/index.ts';
import type { MaybePromise } from '../../src/kit.ts';
import { heard, sayingDetector } from '../support/judge.ts';
import { message, usage } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

describe('events', () => {
  it('[BRK19] reach the listeners that are there, until each stops listening', () => {
    const breaker = new Breaker();
    const seen: string[] = [];
    const off = breaker.on('signal', ({ index }) => seen.push(`a${index}`));
    breaker.on('signal', ({ index }) => seen.push(`b${index}`));
    breaker.observe(message('a', 'one'));
    off();
    breaker.observe(message('a', 'two'));
    expect(seen).toEqual(['a0', 'b0', 'b1']);
  });

  it('[BRK19] carry the signal, the finding and both states', () => {
    const breaker = new Breaker({ detectors: [() => sayingDetector()] });
    const seen: unknown[] = [];
    breaker.on('signal', (payload) => seen.push(payload));
    breaker.on('finding', (payload) => seen.push(payload));
    breaker.on('state', (payload) => seen.push(payload));
    breaker.on('trip', (payload) => seen.push(payload));
    const signal = message('a', 'trip');
    const trip = breaker.observe(signal);
    const finding = { kind: 'custom:said', reason: 'a said trip', level: 'trip' };
    expect(seen).toMatchObject([
      { index: 0, signal, conversation: '' },
      { index: 0, finding, effect: 'stop', conversation: '' },
      { from: { status: 'closed' }, to: { status: 'open', trip }, conversation: '' },
      { kind: 'custom:said' },
    ]);
    expect(seen.at(-1)).toBe(trip);
  });

  it('[CNT2] carry with a signal the suspicion after it, which news takes away', () => {
    const breaker = new Breaker();
    const seen: number[] = [];
    breaker.on('signal', ({ suspicion }) => seen.push(suspicion));
    const total = 'The total is 42 euros.';
    for (const text of [total, total, total, 'The rent is 97 euros.']) {
      breaker.observe(message('reader', text));
    }
    expect(seen).toEqual([0, 0.75, 1.75, 0]);
  });

  it('[CNT2] say with a signal that a run begins with it, also after a snapshot', () => {
    const before = new Breaker();
    before.conversation().beginRun(5);
    const breaker = new Breaker();
    breaker.restore(JSON.parse(JSON.stringify(before.snapshot())));
    const runs: unknown[] = [];
    breaker.on('signal', ({ run }) => runs.push(run));
    for (const at of [5, 6]) breaker.observe(message('a', `one ${at}`, at));
    expect(runs).toEqual([{ at: 5 }, undefined]);
    const broken = JSON.parse(JSON.stringify(before.snapshot()), (name, value) =>
      name === 'run' && value?.at ? { at: 'five' } : value,
    );
    expect(() => breaker.restore(broken)).toThrow('run.at');
  });

  it('[BRK10] warn with the finding, and of each kind on its own', () => {
    const breaker = new Breaker({
      detectors: [() => sayingDetector()],
      maxMessages: 1,
      reaction: 'warn',
    });
    const seen: unknown[] = [];
    breaker.on('finding', ({ index, finding, effect }) => seen.push([index, finding.kind, effect]));
    for (const at of [0, 1]) breaker.observe(message('a', 'trip', at));
    expect(seen).toEqual([
      [0, 'limit', 'warn'],
      [0, 'custom:said', 'warn'],
      [1, 'limit', 'none'],
      [1, 'custom:said', 'none'],
    ]);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK10] warn again once something new has been said', () => {
    const reaction = 'warn';
    const breaker = new Breaker({ detectors: [() => sayingDetector()], reaction });
    const warnings = warningsOf(breaker);
    breaker.observe(message('a', 'trip'));
    expect(warnings).toHaveLength(1);
    breaker.observe(message('a', 'trip'));
    breaker.observe(message('a', 'The count is 42 in row 7.'));
    breaker.observe(message('a', 'trip'));
    expect(warnings).toHaveLength(2);
  });

  it.each<[keyof BreakerEventMap, string]>([
    ['signal', ''],
    ['signal', 'chat 7'],
  ])(
    '[BRK11] name the event and the conversation in which a listener failed: %s %j',
    async (event, id) => {
      const breaker = new Breaker();
      const errors: unknown[] = [];
      breaker.on('error', (payload) => errors.push(payload));
      const [sync, later] = [new Error('sync'), new Error('later')];
      breaker.on(event, () => {
        throw sync;
      });
      breaker.on(event, () => Promise.reject(later));
      breaker.on(event, () => Promise.resolve('fine'));
      breaker.conversation(id).observe(message('a', 'one'));
      await heard();
      expect(errors).toEqual([
        { error: sync, during: event, conversation: id },
        { error: later, during: event, conversation: id },
      ]);
    },
  );

  it('[BRK11] report no error of a listener to errors, which would go round for ever', async () => {
    const breaker = new Breaker();
    let calls = 0;
    breaker.on('error', () => {
      calls++;
      throw new Error('again');
    });
    breaker.on('error', async () => {
      throw new Error('and later');
    });
    breaker.on('signal', () => {
      throw new Error('first');
    });
    expect(() => breaker.observe(message('a', 'one'))).not.toThrow();
    await heard();
    expect(calls).toBe(1);
  });

  it('[BRK11] go on after a store has failed, with an error that says so', async () => {
    const fail = (): MaybePromise<never> => Promise.reject(new Error('store is down'));
    const store = { reserve: fail, settle: fail, totals: fail };
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    const errors: unknown[] = [];
    breaker.on('error', (payload) => errors.push(payload));
    breaker.conversation('chat 7').observe(usage());
    await heard();
    const error = { code: 'BUDGET_STORE', cause: new Error('store is down') };
    expect(errors).toMatchObject([{ error, during: 'store', conversation: 'chat 7' }]);
  });
});
