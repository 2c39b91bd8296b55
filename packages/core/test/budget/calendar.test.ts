import { FakeClock } from '@teamfuse/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Calendar } from '../../src/budget/calendar.ts';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';
import { BY_NAME, HOUR, pursesOf, spending } from './spending.ts';

describe('purses of a day and a month', () => {
  it('[CAL1] hold for each day and each month, of the whole and of each owner', async () => {
    const budget = {
      perDay: { maxUsd: 5 },
      perUser: { perDay: { maxUsd: 2 }, perMonth: { maxUsd: 3 } },
    };
    const { spend, goTo } = spending(budget, '2026-11-29T12:00:00Z');
    expect([await spend(), await spend(), await spend()]).toEqual([
      undefined,
      undefined,
      'day:2026-11-29/user:ann',
    ]);
    expect([await spend('bob'), await spend('bob')]).toEqual([undefined, undefined]);
    expect([await spend('cid'), await spend('dan')]).toEqual([undefined, 'day:2026-11-29']);
    goTo('2026-11-30T00:00:00Z');
    expect([await spend(), await spend()]).toEqual([undefined, 'month:2026-11/user:ann']);
    goTo('2026-12-01T00:00:00Z');
    expect([await spend(), await spend()]).toEqual([undefined, undefined]);
  });

  it.each([
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', 23],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', 25],
    ['Asia/Kathmandu', '2026-02-27T18:15:00Z', '2026-02-28T18:14:59Z', 24],
    ['America/Sao_Paulo', '2028-02-29T03:00:00Z', '2028-03-01T02:59:59Z', 24],
  ])('[CAL2] end at midnight in %s', (zone, first, last, hours) => {
    const calendar = new Calendar(zone);
    const [from, to] = [Date.parse(first), Date.parse(last) + 999];
    expect(Math.ceil((to - from) / HOUR)).toBe(hours);
    expect(calendar.dayAt(to)).toBe(calendar.dayAt(from));
    expect(calendar.dayAt(from - 1)).not.toBe(calendar.dayAt(from));
    expect(calendar.dayAt(to + 1)).not.toBe(calendar.dayAt(from));
  });

  it('[CAL2] have a name whatever the clock says', () => {
    const calendar = new Calendar('Europe/Berlin');
    for (const at of [Number.NEGATIVE_INFINITY, -1e18, 0, 1e18, Number.MAX_VALUE]) {
      expect(calendar.dayAt(at)).toMatch(/^-?\d{4,}-\d\d-\d\d$/);
    }
  });

  it('[CAL3] pay for the calls that were admitted in them, whenever these end', async () => {
    const { breaker, clock, spend } = spending(
      { perUser: { perDay: { maxUsd: 1 } } },
      '2026-11-26T23:59:59Z',
    );
    const chat = breaker.for({ user: 'ann' }).conversation('late');
    await chat.admit(modelRequest({ at: clock.now(), requestId: 'late', estimatedCostUsd: 1 }));
    clock.advance(2_000);
    chat.observe(usage({ at: clock.now(), requestId: 'late', costUsd: 1 }));
    expect(await spend()).toBeUndefined();
    clock.advance(-3_000);
    expect(await spend()).toBe('day:2026-11-26/user:ann');
  });

  it('[CAL4] open the circuit for a cool-down, as the next day is another one', async () => {
    const { breaker, clock, spend, goTo } = spending(
      { perDay: { maxUsd: 1 } },
      '2026-11-26T12:00:00Z',
    );
    await spend();
    const chat = breaker.conversation();
    await chat.admit(modelRequest({ at: clock.now(), estimatedCostUsd: 1 }));
    expect(chat.state.status).toBe('open');
    expect(chat.trip?.reason).toBe(
      'the next call would exceed the budget for 2026-11-26 ($1.00): $1.00 spent, $1.00 needed',
    );
    goTo('2026-11-27T00:00:00Z');
    expect(await chat.admit(modelRequest({ at: clock.now(), estimatedCostUsd: 1 }))).toMatchObject({
      isAdmitted: true,
    });
  });

  it('[CAL10] end with every cool-down that they led to, and a refusal says when', async () => {
    const { breaker, clock, goTo } = spending({ perDay: { maxUsd: 1 } }, '2026-11-26T22:00:00Z');
    const chat = breaker.conversation();
    const admit = () => chat.admit(modelRequest({ at: clock.now(), estimatedCostUsd: 2 }));
    await admit();
    // It backs off to a quarter of an hour.
    for (let minute = 1; minute < 119; minute++) {
      clock.advance(60_000);
      const admission = await admit();
      const waitMs = admission.isAdmitted ? undefined : chat.retryInMs(admission.trip);
      expect(waitMs).toBe((120 - minute) * 60_000);
    }
    goTo('2026-11-27T00:00:00Z');
    expect(chat.trip && chat.retryInMs(chat.trip)).toBe(0);
    const call = modelRequest({ at: clock.now(), estimatedCostUsd: 1 });
    expect(await chat.admit(call)).toMatchObject({ isAdmitted: true });
  });

  it('[CAL4] do not hide a purse that no day refills', async () => {
    const { breaker, spend } = spending(
      { perUser: { maxUsd: 1, perDay: { maxUsd: 1 } } },
      '2026-11-26T12:00:00Z',
    );
    await spend();
    expect(await spend()).toBe('user:ann');
    expect(breaker.stopped.map(({ state }) => state.status)).toEqual(['stopped']);
  });

  it('[CAL5] are changed by raise and by name, and none of the others with them', async () => {
    const { breaker, spend } = spending(
      {
        perUser: { perDay: { maxUsd: 1 }, perMonth: { maxUsd: 9 } },
        users: { bob: { perDay: { maxUsd: 2 } } },
      },
      '2026-11-26T12:00:00Z',
    );
    await spend('bob');
    expect(await spend('bob')).toBeUndefined();
    await spend();
    expect(await spend()).toBe('day:2026-11-26/user:ann');
    breaker.raise({ users: { ann: { perDay: { maxUsd: 20 } } } });
    expect(await spend()).toBeUndefined();
    expect(await spend('ann', 9)).toBe('month:2026-11/user:ann');
  });

  it('[CAL6] keep what was spent beside a rolling window', async () => {
    const { spend, clock } = spending(
      { maxUsd: 1, windowMs: HOUR, perUser: { perDay: { maxUsd: 2 } } },
      '2026-11-26T01:00:00Z',
    );
    await spend();
    expect(await spend()).toBe('the whole');
    clock.advance(HOUR);
    expect(await spend()).toBeUndefined();
    clock.advance(HOUR);
    expect(await spend()).toBe('day:2026-11-26/user:ann');
  });

  it('[CAL7] take no memory once they are over, even those of owners by name', async () => {
    const { breaker, spend, clock } = spending(BY_NAME, '2026-01-01T12:00:00Z');
    await spend();
    const { spend: books, ...others } = JSON.parse(JSON.stringify(breaker.snapshot()));
    const [[first, purse]] = books.memory.purses;
    const before = Array.from({ length: 9_995 }, (_, i): [string, unknown] => [
      `day:${new Date(i * 24 * HOUR).toISOString().slice(0, 10)}/user:ann`,
      purse,
    ]);
    books.memory.purses = [...before, [first, purse]];
    breaker.restore({ ...others, spend: books });
    expect(pursesOf(breaker).size).toBe(9_996);
    for (let day = 0; day < 20; day++, clock.advance(24 * HOUR)) await spend();
    expect(pursesOf(breaker).size).toBeLessThanOrEqual(10_001);
    expect(pursesOf(breaker).has(before[0]?.[0] as string)).toBe(false);
  });

  it.each([
    [{ timeZone: 'Europe/Atlantis' }, "option 'budget.timeZone': expected the name of a time zone"],
    [{ timeZone: 7 }, "option 'budget.timeZone': expected text"],
    [{ perUser: { perDay: { maxUSD: 1 } } }, "option 'budget.perUser.perDay.maxUSD'"],
    [{ users: { ann: { perMonth: 1 } } }, "option 'budget.users.ann.perMonth'"],
    [{ perConversation: { perDay: { maxUsd: 1 } } }, "option 'budget.perConversation.perDay'"],
  ])('[CAL8] are refused as %j', (budget, message) => {
    expect(() => new Breaker({ budget: budget as never })).toThrow(message);
  });

  it('[CAL9] never take more than their limit, by a clock that jumps, whatever store has them', async () => {
    const step = fc.record({
      hours: fc.double({ min: -60, max: 60, noNaN: true }),
      user: fc.constantFrom('ann', 'bob'),
      cents: fc.integer({ min: 1, max: 60 }),
      isShared: fc.boolean(),
    });
    const calls = fc.array(step, { maxLength: 60 });
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York');
    await fc.assert(
      fc.asyncProperty(calls, zones, async (steps, timeZone) => {
        const limits = { day: 100, month: 170 };
        const perUser = { perDay: { maxUsd: 1 }, perMonth: { maxUsd: 1.7 } };
        const store = new MemoryBudgetStore();
        const budget = { timeZone, perUser, store };
        const clock = new FakeClock(Date.parse('2026-10-31T20:00:00Z'));
        // Two processes with one store, the second of which is an hour ahead.
        const [one, other] = [0, HOUR].map(
          (ahead) => new Breaker({ budget, now: () => clock.now() + ahead, timers: clock.timers }),
        ) as [Breaker, Breaker];
        const dates = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
        const spent = new Map<string, number>();
        for (const [i, { hours, user, cents, isShared }] of steps.entries()) {
          clock.advance(Math.round(hours * HOUR));
          const at = clock.now() + (isShared ? HOUR : 0);
          const date = dates.format(at);
          const names = [`${user} ${date}`, `${user} ${date.slice(0, 7)}`] as const;
          const [day, month] = names.map((name) => (spent.get(name) ?? 0) + cents) as [
            number,
            number,
          ];
          const chat = (isShared ? other : one).for({ user }).conversation(`${i}`);
          const requestId = `${i}`;
          const { isAdmitted } = await chat.admit(
            modelRequest({ at, requestId, estimatedCostUsd: cents / 100 }),
          );
          expect(isAdmitted).toBe(day <= limits.day && month <= limits.month);
          if (!isAdmitted) continue;
          chat.observe(usage({ at, requestId, costUsd: cents / 100 }));
          spent.set(names[0], day).set(names[1], month);
        }
      }),
      { numRuns: 100 },
    );
  });
});
