import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { NOTHING } from '../../src/budget/amount.ts';
import { Breaker, type BreakerOptions, type BudgetStore, isTripped } from '../../src/index.ts';
import { Limiter } from '../../src/throttle/limiter.ts';
import { Limiters } from '../../src/throttle/limiters.ts';
import { modelRequest, usage } from '../support/signals.ts';

const MINUTE = 60_000;

/** A breaker whose calls last until they are ended, and what has begun. */
function busy(options: BreakerOptions) {
  const clock = new FakeClock(1_000_000);
  const breaker = new Breaker({ ...options, now: clock.now, timers: clock.timers });
  const begun: string[] = [];
  const failed: string[] = [];
  const ends: (() => void)[] = [];
  let calls = 0;
  /** Makes a call of somebody. */
  const call = (
    name: string,
    { user = name, model = 'm', signal = undefined as AbortSignal | undefined } = {},
  ) => {
    const chat = breaker.for({ user }).conversation(`${++calls}`);
    const work = () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    };
    const running = chat.run(
      { kind: 'model-request', agent: 'clerk', model, inputTokens: 9, maxOutputTokens: 1 },
      work,
      { signal },
    );
    running.catch((error) => failed.push(`${name}: ${isTripped(error) ? error.trip.kind : error}`));
    return { chat, running };
  };
  /** Lets all go on that can. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (at = 0) => {
    ends.splice(at, 1)[0]?.();
    await settled();
  };
  return { breaker, clock, begun, failed, call, end, settled };
}

describe('a throttle', () => {
  it('[THR1] lets as many calls be under way as it says, and the others follow', async () => {
    const { begun, call, end, settled } = busy({ throttle: { maxConcurrent: 2 } });
    for (const name of ['a', 'a', 'a', 'a']) call(name);
    await settled();
    expect(begun).toHaveLength(2);
    await end();
    expect(begun).toHaveLength(3);
    await end();
    await end();
    expect(begun).toHaveLength(4);
  });

  it('[THR2] lets as many calls begin in any minute as it says', async () => {
    const { begun, clock, call, settled } = busy({ throttle: { maxRpm: 2 } });
    call('a');
    clock.advance(30_000);
    for (const name of ['b', 'c', 'd']) call(name);
    await settled();
    expect(begun).toEqual(['a', 'b']);
    clock.advance(29_999);
    await settled();
    expect(begun).toEqual(['a', 'b']);
    clock.advance(1);
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    clock.advance(30_000);
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('[THR2] holds nobody up longer by a call that was still asking for its money', async () => {
    const totals = { spent: NOTHING, reserved: NOTHING };
    const store: BudgetStore = {
      reserve: () => Promise.resolve({ isGranted: true, totals }),
      settle: () => totals,
      totals: () => totals,
    };
    const { begun, clock, call, settled } = busy({
      throttle: { maxRpm: 1 },
      budget: { maxTokens: 100, store },
    });
    call('a');
    call('b');
    await settled();
    clock.advance(MINUTE - 1);
    await settled();
    expect(begun).toEqual(['a']);
    clock.advance(1);
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  it('[THR2] holds nobody up longer by a clock that steps back', async () => {
    const { begun, clock, call, settled } = busy({ throttle: { maxRpm: 1 } });
    call('a');
    clock.advance(-10 * MINUTE);
    call('b');
    clock.advance(MINUTE);
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  it('[THR3] has limits for each user, team, key and model, and for single ones', async () => {
    const { begun, call, settled } = busy({
      throttle: {
        perUser: { maxConcurrent: 1 },
        users: { bob: { maxConcurrent: 2 } },
        perModel: { maxConcurrent: 3 },
      },
    });
    for (const name of ['ann', 'ann', 'bob', 'bob', 'bob', 'cid']) call(name);
    call('cid on another', { user: 'dan', model: 'n' });
    await settled();
    expect(begun).toEqual(['ann', 'bob', 'bob', 'cid on another']);
  });

  it('[THR4] serves tenants in turn, and each in order', async () => {
    const { begun, call, end, settled } = busy({ throttle: { maxConcurrent: 1 } });
    for (const name of ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'bob 2', 'cid 1']) {
      call(name, { user: name.slice(0, 3) });
    }
    await settled();
    for (let i = 0; i < 5; i++) await end();
    expect(begun).toEqual(['ann 1', 'ann 2', 'bob 1', 'cid 1', 'ann 3', 'bob 2']);
  });

  it('[THR5] ends a wait with the signal of its caller, a stop, a trip and the run time', async () => {
    const { breaker, begun, failed, clock, call, end, settled } = busy({
      throttle: { maxConcurrent: 1 },
      maxRunMs: 5_000,
    });
    call('a');
    const controller = new AbortController();
    call('given up', { signal: controller.signal });
    call('ann');
    call('late');
    await settled();
    controller.abort('given up');
    breaker.for({ user: 'ann' }).stop();
    await settled();
    expect(failed).toEqual(['given up: given up', 'ann: manual']);
    clock.advance(5_000);
    await settled();
    expect(failed.slice(2).sort()).toEqual(['a: limit', 'late: limit']);
    await end();
    expect(begun).toEqual(['a']);
    call('b');
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  it('[THR6] begins nothing after a stop', async () => {
    const { breaker, begun, call, end, settled } = busy({ throttle: { maxConcurrent: 1 } });
    for (const name of ['a', 'b', 'c']) call(name);
    await settled();
    breaker.stop();
    await end();
    expect(begun).toEqual(['a']);
  });

  it('[THR7] refuses a call beyond those that may wait, of whoever has most waiting, and opens no circuit', async () => {
    const { breaker, begun, failed, call, end, settled } = busy({
      throttle: { maxConcurrent: 1, maxWaiting: 2 },
    });
    for (const name of ['flood 1', 'flood 2', 'flood 3', 'flood 4']) call(name, { user: 'flood' });
    call('ann');
    await settled();
    expect(failed).toEqual(['flood 4: rate', 'flood 3: rate']);
    expect(breaker.stopped).toEqual([]);
    await end();
    await end();
    expect(begun).toEqual(['flood 1', 'flood 2', 'ann']);
  });

  it('[THR15] lets such a call begin where a rate is only observed, and tells of it', async () => {
    const { breaker, begun, call, settled } = busy({
      reaction: { rate: 'observe' },
      throttle: { maxConcurrent: 1, maxWaiting: 0 },
    });
    const findings: unknown[] = [];
    breaker.on('finding', ({ finding, effect }) => findings.push([finding.kind, effect]));
    call('ann');
    call('ben');
    await settled();
    expect(begun).toEqual(['ann', 'ben']);
    expect(findings).toEqual([['rate', 'none']]);
  });

  it('[THR8] refuses a call that has waited for too long, saying so', async () => {
    const { clock, failed, call, settled } = busy({
      throttle: { maxConcurrent: 1, maxWaitMs: 2_000 },
    });
    call('a');
    const { running } = call('b');
    clock.advance(1_999);
    await settled();
    expect(failed).toEqual([]);
    clock.advance(1);
    await expect(running).rejects.toThrow('a model call waited for its turn longer than 2 s');
    expect(clock.waiting).toBe(0);
  });

  it('[THR9] counts no call that was refused after its wait', async () => {
    const { begun, failed, call, settled } = busy({
      throttle: { maxRpm: 2, maxConcurrent: 2 },
      budget: { users: { poor: { maxTokens: 0 } } },
    });
    for (const name of ['poor', 'poor', 'poor', 'ann', 'bob']) call(name);
    await settled();
    expect(failed).toEqual(['poor: budget', 'poor: budget', 'poor: budget']);
    expect(begun).toEqual(['ann', 'bob']);
  });

  it('[THR10] ends the place of a call with its usage or its permit, whichever comes first', async () => {
    const { breaker } = busy({ throttle: { maxConcurrent: 1 } });
    const chat = breaker.conversation();
    const asked = (requestId: string) => chat.admit(modelRequest({ requestId }));
    const first = await asked('1');
    chat.observe(usage({ requestId: '1' }));
    const second = await asked('2');
    if (first.isAdmitted) first.permit.release();
    const third = Promise.resolve(asked('3'));
    if (second.isAdmitted) second.permit.release();
    expect((await third).isAdmitted).toBe(true);
  });

  it.each([
    [undefined, 3_600_000],
    [5_000, 5_000],
  ])('[THR14] frees the place of a call without an end after %s ms', async (given, lastsMs) => {
    const { begun, call, clock, end, settled } = busy({
      throttle: { maxConcurrent: 1, maxWaitMs: 10_000_000 },
      budget: given === undefined ? {} : { reservationMs: given },
    });
    for (const name of ['lost', 'next']) call(name);
    clock.advance(lastsMs - 1);
    await settled();
    expect(begun).toEqual(['lost']);
    clock.advance(1);
    await settled();
    expect(begun).toEqual(['lost', 'next']);
    call('last');
    await end();
    expect(begun).toEqual(['lost', 'next']);
    await end();
    expect(begun).toEqual(['lost', 'next', 'last']);
  });

  it('[THR14] keeps the age of a place when the clock steps back', async () => {
    const { begun, call, clock, settled } = busy({
      throttle: { maxConcurrent: 1, maxWaitMs: 100_000 },
      budget: { reservationMs: 5_000 },
    });
    call('lost');
    clock.advance(4_000);
    clock.advance(-50_000);
    call('next');
    clock.advance(4_999);
    await settled();
    expect(begun).toEqual(['lost']);
    clock.advance(1);
    await settled();
    expect(begun).toEqual(['lost', 'next']);
  });

  it('[THR11] is changed while it runs, up and down, for all and by name', async () => {
    const { breaker, begun, call, end, settled } = busy({});
    call('a');
    await settled();
    breaker.adjust({ throttle: { maxConcurrent: 1, users: { vip: { maxConcurrent: 1 } } } });
    for (const name of ['b', 'vip', 'vip', 'c']) call(name);
    await settled();
    expect(begun).toEqual(['a', 'b']);
    breaker.adjust({ throttle: { maxConcurrent: 4 } });
    await settled();
    expect(begun).toEqual(['a', 'b', 'vip', 'c']);
    breaker.adjust({ throttle: { users: { vip: { maxConcurrent: 2 } } } });
    await settled();
    expect(begun).toEqual(['a', 'b', 'vip', 'c', 'vip']);
    breaker.adjust({ throttle: { maxConcurrent: 1 } });
    call('d');
    await end();
    expect(begun).toHaveLength(5);
  });

  it('[THR11] leaves what is not named as it is', async () => {
    const { breaker, clock, begun, failed, call, settled } = busy({
      throttle: { maxRpm: 1, maxWaiting: 1, maxWaitMs: 2_000 },
    });
    breaker.adjust({ throttle: { maxRpm: 2 } });
    for (const name of ['a', 'b', 'waits', 'beyond']) call(name, { user: 'ann' });
    await settled();
    expect(begun).toEqual(['a', 'b']);
    expect(failed).toEqual(['beyond: rate']);
    clock.advance(2_000);
    await settled();
    expect(failed).toEqual(['beyond: rate', 'waits: rate']);
  });

  it('[THR11] changes budgets the same way, and nothing where anything is wrong', async () => {
    const { breaker, failed, call, settled } = busy({ budget: { maxTokens: 5_000 } });
    breaker.adjust({ budget: { maxTokens: 0 } });
    call('a');
    await settled();
    expect(failed).toEqual(['a: budget']);
    for (const [limits, message] of [
      [{ throttle: { maxRpm: 0 } }, "option 'throttle.maxRpm'"],
      [{ throttle: { maxRpm: 1 }, budget: { maxUsd: -1 } }, "option 'budget.maxUsd'"],
      [{ maxRpm: 1 }, "option 'maxRpm'"],
    ] as const) {
      expect(() => breaker.adjust(limits as never)).toThrow(message);
    }
    breaker.adjust({ budget: { maxTokens: 90_000 } });
    call('b');
    call('c');
    await settled();
    expect(failed).toEqual(['a: budget']);
  });

  it('[THR12] keeps nothing of tenants that are idle', () => {
    const limiters = new Limiters({ perUser: { maxRpm: 1 } });
    const use = (user: string, now: number): void => {
      const [limiter] = limiters.of(modelRequest({ user }), now);
      limiter?.take();
      limiter?.begin(now);
      limiter?.end();
    };
    for (let i = 0; i < 1_000; i++) use(`user ${i}`, i);
    expect(limiters.size).toBe(1_000);
    for (let i = 0; i < 1_000; i++) use('ann', 10 * MINUTE + i);
    expect(limiters.size).toBe(1);
  });

  it('[THR12] keeps no call that began more than a minute ago while others are under way', () => {
    const limiter = new Limiter({ maxConcurrent: 2 });
    const begin = (at: number): void => {
      limiter.take();
      limiter.begin(at);
    };
    begin(0);
    for (let i = 1; i <= 1_000; i++) {
      begin(i * 1_000);
      limiter.end();
    }
    expect(limiter.size).toBe(60);
  });

  it.each([
    [{ maxRpm: 0.5 }, "option 'throttle.maxRpm': expected a whole number from 1"],
    [{ maxConcurrent: 0 }, "option 'throttle.maxConcurrent'"],
    [{ perUser: { maxRPM: 1 } }, "option 'throttle.perUser.maxRPM'"],
    [{ models: { m: 3 } }, "option 'throttle.models.m'"],
    [{ maxWaitMs: 0 }, "option 'throttle.maxWaitMs'"],
  ])('[THR13] is refused as %j', (throttle, message) => {
    expect(() => new Breaker({ throttle: throttle as never })).toThrow(message);
  });
});
