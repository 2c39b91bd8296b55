import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';
import { testSnapshots } from './rolling-snapshots.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const WINDOW = 60_000;
const HOUR = 3_600_000;

function of(nanoUsd: number, tokens = 0) {
  return { nanoUsd, tokens };
}

function rolling(windowMs = WINDOW) {
  const clock = new FakeClock(1e12);
  const store = new MemoryBudgetStore(undefined, { windowMs, now: clock.now });
  const spend = (nanoUsd: number) => store.settle(undefined, of(nanoUsd)).spent.nanoUsd;
  return { clock, store, spend, spent: () => store.totals().spent.nanoUsd };
}

describe('the sum of a window', () => {
  it('[BUD25] is nothing after more than fits a number, once that is forgotten', () => {
    const { clock, spend, spent } = rolling();
    for (let i = 0; i < 3; i++) expect(spend(MOST)).toBe(MOST);
    clock.advance(WINDOW / 2);
    spend(7);
    clock.advance(WINDOW / 2);
    expect(spent()).toBe(7);
    clock.advance(WINDOW / 2);
    expect(spent()).toBe(0);
  });

  it('[BUD25] is nothing reserved after more than fits a number is released', () => {
    const store = new MemoryBudgetStore();
    for (const id of ['a', 'b', 'c']) store.reserve(id, of(0, MOST), {});
    store.settle('a', of(0));
    store.settle('b', of(0));
    expect(store.totals().reserved.tokens).toBe(MOST);
    expect(store.settle('c', of(0)).reserved.tokens).toBe(0);
  });

  it('[BUD25] lets a budget go on after three usages of the largest number', async () => {
    const clock = new FakeClock();
    const budget = { maxUsd: 1, maxTokens: 100_000, windowMs: WINDOW };
    const breaker = new Breaker({ budget, cooldownMs: 0, now: clock.now });
    for (let i = 0; i < 3; i++) {
      breaker.observe(usage({ at: clock.now(), inputTokens: MOST, outputTokens: 0, costUsd: 9e6 }));
    }
    clock.advance(WINDOW);
    const call = { inputTokens: 10, maxOutputTokens: 10 };
    const ask = (estimatedCostUsd: number) =>
      breaker.admit(modelRequest({ at: clock.now(), ...call, estimatedCostUsd }));
    expect(await ask(0.9)).toMatchObject({ isAdmitted: true });
    expect(await ask(0.2)).toMatchObject({ isAdmitted: false });
  });
});

describe('the snapshot of a breaker', () => {
  testSnapshots(8);
});

describe('a clock that jumps', () => {
  it('[BUD26] ahead and back frees nothing early, and keeps nothing until that future', () => {
    const { clock, spend, spent } = rolling();
    spend(1);
    clock.advance(1e9);
    expect(spend(20)).toBe(20);
    clock.advance(5_000);
    expect(spend(300)).toBe(320);
    clock.advance(-1e9);
    expect(spent()).toBe(321);
    clock.advance(WINDOW - 5_000);
    expect(spent()).toBe(300);
    clock.advance(5_000);
    expect(spent()).toBe(0);
  });

  it('[BUD26] back keeps nothing for longer', () => {
    const { clock, spend, spent } = rolling();
    spend(1);
    clock.advance(10_000);
    spend(20);
    expect(spent()).toBe(21);
    clock.advance(-86_400_000);
    expect(spend(300)).toBe(321);
    clock.advance(WINDOW - 10_000);
    expect(spent()).toBe(320);
    clock.advance(10_000);
    expect(spent()).toBe(0);
  });

  it.each([
    ['back a little', 0, 40_000],
    ['ahead, and back after longer than that', 30_000, 30_000],
  ])('[BUD26] %s keeps nothing for longer where it is read often', (_, ahead, back) => {
    const { clock, spend, spent } = rolling();
    const pass = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 500) {
        clock.advance(500);
        spent();
      }
    };
    clock.advance(ahead);
    spend(1);
    pass(50_000);
    expect(spent()).toBe(1);
    clock.advance(-back);
    pass(9_500);
    expect(spent()).toBe(1);
    // The step back itself takes the time between two readings.
    pass(1_000);
    expect(spent()).toBe(0);
  });

  it('[BUD26] ahead for good counts as time', () => {
    const { clock, spend, spent } = rolling();
    spend(1);
    clock.advance(HOUR);
    expect(spent()).toBe(0);
    spend(20);
    clock.advance(WINDOW - 1);
    expect(spent()).toBe(20);
    clock.advance(1);
    expect(spent()).toBe(0);
  });

  it('[BUD26] ahead and back neither drops a reservation late nor holds it longer', () => {
    const clock = new FakeClock(1e12);
    const store = new MemoryBudgetStore(undefined, { reservationMs: WINDOW, now: clock.now });
    clock.advance(1e9);
    store.reserve('ahead', of(1), {});
    clock.advance(-1e9);
    store.reserve('after', of(20), {});
    clock.advance(WINDOW - 1);
    expect(store.totals().reserved).toEqual(of(21));
    clock.advance(1);
    expect(store.totals().reserved).toEqual(of(0));
  });

  it('[BUD26] ahead and back lets the calls of a breaker expire in time', async () => {
    const clock = new FakeClock(1e12);
    const budget = { maxUsd: 1, reservationMs: WINDOW };
    const breaker = new Breaker({ budget, reaction: 'observe', now: clock.now });
    const found: unknown[] = [];
    breaker.on('finding', ({ finding }) => found.push(finding));
    const ask = async () => breaker.admit(modelRequest({ at: clock.now(), estimatedCostUsd: 0.6 }));
    clock.advance(1e9);
    await ask();
    clock.advance(-1e9);
    await ask();
    expect(found).toHaveLength(1);
    clock.advance(WINDOW);
    await ask();
    expect(found).toHaveLength(1);
  });

  it.each([1, 2, 3, 4, 5])(
    '[BUD26] at random for a week shows what the last hour has cost whenever it is right (%i)',
    (seed) => {
      const random = new SeededRandom(seed);
      const { clock, store } = rolling(HOUR);
      const booked: { readonly at: number; readonly amount: bigint }[] = [];
      const since = (ms: number) =>
        booked.reduce((sum, { at, amount }) => (time - at < ms ? sum + amount : sum), 0n);
      const longest = 600_000;
      let [time, ahead, went] = [0, 0, 0];
      while (time < 7 * 24 * HOUR) {
        const ms = 1 + random.below(longest);
        time += ms;
        clock.advance(ms);
        if (random.oneIn(4)) {
          clock.advance(-ahead);
          ahead = ahead === 0 ? 1 + random.below(random.pick([HOUR / 2, 30 * 24 * HOUR])) : 0;
          clock.advance(ahead);
          went = time;
        }
        const amount = random.oneIn(9) ? MOST : random.below(1e9);
        const { nanoUsd } = store.settle(undefined, of(amount)).spent;
        booked.push({ at: time, amount: BigInt(amount) });
        const capped = (sum: bigint) => Number(sum > BigInt(MOST) ? BigInt(MOST) : sum);
        const least = ahead === 0 ? HOUR : Math.min(HOUR, time - went + 1);
        expect(nanoUsd).toBeGreaterThanOrEqual(capped(since(least)));
        // The step back itself takes the time between two readings.
        expect(nanoUsd).toBeLessThanOrEqual(capped(since(HOUR + longest * 6)));
        expect(nanoUsd).toBeGreaterThanOrEqual(0);
      }
      clock.advance(HOUR);
      expect(store.totals().spent).toEqual(of(0));
    },
  );
});
