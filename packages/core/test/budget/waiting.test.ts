import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerOptions,
  type BudgetStore,
  MemoryBudgetStore,
  type Trip,
} from '../../src/index.ts';
import type { Admission } from '../../src/kit.ts';
import { message, modelRequest, usage } from '../support/signals.ts';
import { HandTimers } from '../support/timers.ts';

const budget = { maxUsd: 1, whenFull: 'wait' } as const;

/** Asks for a call, and keeps the answer once it is there. */
function ask(breaker: Breaker, requestId: string, estimatedCostUsd = 0.6, signal?: AbortSignal) {
  const asked: { answer?: Admission; error?: unknown } = {};
  const admission = breaker.admit(modelRequest({ requestId, estimatedCostUsd }), { signal });
  void Promise.resolve(admission).then(
    (answer) => (asked.answer = answer),
    (error: unknown) => (asked.error = error),
  );
  return asked;
}

function end(breaker: Breaker, requestId: string, costUsd: number): Trip | undefined {
  return breaker.observe(usage({ requestId, costUsd }));
}

/** A store that answers a tick later. */
function slow(memory: MemoryBudgetStore): BudgetStore {
  return {
    reserve: async (...args) => memory.reserve(...args),
    settle: async (...args) => memory.settle(...args),
    totals: async (...args) => memory.totals(...args),
  };
}

/** Sends a burst of calls at $1 each that cost $0.30. */
async function burst(options: BreakerOptions): Promise<Breaker> {
  const breaker = new Breaker(options);
  const calls = Array.from({ length: 17 }, async (_, i) => {
    const request = modelRequest({ requestId: `${i}`, estimatedCostUsd: 1 });
    const work = async () => {
      await settled();
      return { usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.3 } };
    };
    return breaker.run(request, work).catch(() => undefined);
  });
  await Promise.all(calls);
  return breaker;
}

describe('a call that does not fit beside those under way', () => {
  it('[WAI1] waits for them, in the order in which they were asked for', async () => {
    const breaker = new Breaker({ budget });
    const [a, b, c] = [ask(breaker, 'a'), ask(breaker, 'b'), ask(breaker, 'c', 0.1)];
    await settled();
    // c would fit beside a, and waits behind b all the same.
    expect([a, b, c].map(({ answer }) => answer?.isAdmitted)).toEqual([true, undefined, undefined]);
    end(breaker, 'a', 0.1);
    await settled();
    expect([b, c].map(({ answer }) => answer?.isAdmitted)).toEqual([true, true]);
  });

  it('[WAI1] is refused where it would not fit alone', async () => {
    const breaker = new Breaker({ budget });
    ask(breaker, 'a');
    const refused = ask(breaker, 'b', 1.1);
    await settled();
    expect(refused.answer).toMatchObject({ isAdmitted: false, trip: { kind: 'budget' } });
  });

  it('[WAI1] is refused at once where nothing of the breaker is under way', () => {
    const store = new MemoryBudgetStore();
    new Breaker({ budget: { ...budget, store } }).admit(modelRequest({ estimatedCostUsd: 0.6 }));
    const breaker = new Breaker({ budget: { ...budget, store } });
    expect(breaker.admit(modelRequest({ estimatedCostUsd: 0.6 }))).toMatchObject({
      isAdmitted: false,
    });
  });

  it('[WAI1] is refused once those under way have taken what it needs', async () => {
    const breaker = new Breaker({ budget });
    ask(breaker, 'a');
    const waiting = ask(breaker, 'b');
    end(breaker, 'a', 0.6);
    await settled();
    expect(waiting.answer).toMatchObject({ isAdmitted: false, trip: { kind: 'budget' } });
  });

  it('[WAI1] waits for a store that answers later', async () => {
    const breaker = new Breaker({ budget: { ...budget, store: slow(new MemoryBudgetStore()) } });
    const calls = ['a', 'b', 'c'].map((id) => ask(breaker, id));
    await settled();
    end(breaker, 'a', 0.1);
    await settled();
    end(breaker, 'b', 0.1);
    await settled();
    expect(calls.map(({ answer }) => answer?.isAdmitted)).toEqual([true, true, true]);
  });

  it('[WAI2] ends waiting with the signal of its caller, and those behind it go on', async () => {
    const breaker = new Breaker({ budget });
    const controller = new AbortController();
    ask(breaker, 'a');
    const [b, c] = [ask(breaker, 'b', 0.6, controller.signal), ask(breaker, 'c', 0.1)];
    const reason = new Error('enough');
    controller.abort(reason);
    await settled();
    expect(b.error).toBe(reason);
    expect(c.answer?.isAdmitted).toBe(true);
    end(breaker, 'a', 0.1);
    await settled();
    expect(ask(breaker, 'd', 0.7)).toEqual({});
  });

  it('[WAI2] does not wait for a caller who has given up before', async () => {
    const breaker = new Breaker({ budget });
    ask(breaker, 'a');
    const reason = new Error('enough');
    const b = ask(breaker, 'b', 0.6, AbortSignal.abort(reason));
    await settled();
    expect(b.error).toBe(reason);
    end(breaker, 'a', 0.1);
    const c = ask(breaker, 'c', 0.9);
    await settled();
    expect(c.answer?.isAdmitted).toBe(true);
  });

  it.each<[string, (breaker: Breaker) => unknown, string]>([
    ['a stop', (breaker) => breaker.stop('enough'), 'manual'],
    ['the end of the run time', (breaker) => breaker.conversation('').checkRunTime(), 'limit'],
    ['a trip', (breaker) => breaker.observe(usage({ agent: 'other', costUsd: 2 })), 'budget'],
  ])('[WAI2] ends waiting with %s', async (_, stop, kind) => {
    let now = 0;
    const breaker = new Breaker({ budget, maxRunMs: 1000, now: () => now });
    ask(breaker, 'a');
    const waiting = ask(breaker, 'b');
    now = 2000;
    stop(breaker);
    await settled();
    expect(waiting.answer).toMatchObject({ isAdmitted: false, trip: { kind } });
  });

  it('[WAI2] waits on where its trip was cured at once', async () => {
    const breaker = new Breaker({ budget });
    breaker.on('trip', () => breaker.raise({ maxUsd: 9 }));
    ask(breaker, 'a', 0.9);
    const waiting = ask(breaker, 'b');
    breaker.observe(usage({ agent: 'other', costUsd: 2 }));
    await settled();
    expect(waiting.answer).toMatchObject({ isAdmitted: true });
  });

  it('[WAI2] goes on when the limit is raised', async () => {
    const breaker = new Breaker({ budget });
    ask(breaker, 'a');
    const waiting = ask(breaker, 'b');
    breaker.raise({ maxUsd: 2 });
    await settled();
    expect(waiting.answer?.isAdmitted).toBe(true);
  });

  it('[WAI2] fails with its store, and those behind it are asked for', async () => {
    const memory = new MemoryBudgetStore();
    let isDown = false;
    const store: BudgetStore = {
      ...slow(memory),
      reserve: async (...args) => {
        if (!isDown) return memory.reserve(...args);
        isDown = false;
        throw new Error('store is down');
      },
    };
    const breaker = new Breaker({ budget: { ...budget, store } });
    ask(breaker, 'a');
    await settled();
    const [b, c] = [ask(breaker, 'b'), ask(breaker, 'c')];
    await settled();
    isDown = true;
    end(breaker, 'a', 0.1);
    await settled();
    expect(b.error).toMatchObject({ message: 'budget store: reserve failed: store is down' });
    expect(c.answer?.isAdmitted).toBe(true);
  });

  it('[WAI2] fails with its clock, and later calls wait as before', async () => {
    const memory = new MemoryBudgetStore();
    let isBroken = false;
    let breaksNext = false;
    const now = (): number => {
      if (isBroken) throw new Error('no time');
      return 0;
    };
    const store: BudgetStore = {
      ...slow(memory),
      reserve: async (...args) => {
        // It fails between an answer and the look at when to ask again.
        isBroken = breaksNext;
        return memory.reserve(...args);
      },
    };
    const breaker = new Breaker({ budget: { ...budget, store }, now });
    ask(breaker, 'a');
    await settled();
    const b = ask(breaker, 'b');
    await settled();
    breaksNext = true;
    breaker.raise({ maxUsd: 1.1 });
    await settled();
    expect(b.error).toMatchObject({ message: 'no time' });
    isBroken = false;
    breaksNext = false;
    const c = ask(breaker, 'c');
    await settled();
    expect(c).toEqual({});
    end(breaker, 'a', 0.1);
    await settled();
    expect(c.answer?.isAdmitted).toBe(true);
  });

  it('[WAI2] is not held up for ever by a call that never ends', async () => {
    let now = 0;
    const breaker = new Breaker({ budget: { ...budget, reservationMs: 1000 }, now: () => now });
    ask(breaker, 'lost');
    const waiting = ask(breaker, 'b');
    now = 1000;
    const next = ask(breaker, 'c', 0.1);
    await settled();
    expect([waiting.answer?.isAdmitted, next.answer?.isAdmitted]).toEqual([true, true]);
  });

  it('[WAI2] is not held up by a call that never ends, even if nobody asks again', async () => {
    let now = 0;
    const timers = new HandTimers();
    const lasting = { ...budget, reservationMs: 1000 };
    const breaker = new Breaker({ budget: lasting, now: () => now, timers });
    ask(breaker, 'lost');
    now = 400;
    const waiting = ask(breaker, 'b');
    await settled();
    expect(timers.waits).toEqual([601]);
    // It rings early, by a clock of its own.
    now = 900;
    timers.ring();
    expect(timers.waits).toEqual([101]);
    now = 1001;
    timers.ring();
    await settled();
    expect(waiting.answer?.isAdmitted).toBe(true);
    expect(timers.waits).toEqual([]);
  });

  it('[WAI2] has no timer once nothing waits, and none that keeps a process alive', async () => {
    const timers = new HandTimers();
    let unrefs = 0;
    const set = (ring: () => void, ms: number): unknown =>
      Object.assign(Object(timers.set(ring, ms)), { unref: () => unrefs++ });
    const clear = (timer: unknown): void => timers.clear(Number(timer));
    const breaker = new Breaker({ budget, timers: { set, clear } });
    const controller = new AbortController();
    ask(breaker, 'a');
    ask(breaker, 'b', 0.6, controller.signal);
    ask(breaker, 'c');
    await settled();
    expect([timers.waits.length, unrefs]).toEqual([1, 1]);
    controller.abort();
    await settled();
    expect(timers.waits).toHaveLength(1);
    end(breaker, 'a', 0.1);
    await settled();
    expect(timers.waits).toEqual([]);
  });

  it('[WAI2] is served by the timers of the machine where none are given', async () => {
    const breaker = new Breaker({ budget: { ...budget, reservationMs: 20 } });
    breaker.admit(modelRequest({ requestId: 'lost', estimatedCostUsd: 0.6 }));
    const waiting = breaker.admit(modelRequest({ requestId: 'b', estimatedCostUsd: 0.6 }));
    expect(await waiting).toMatchObject({ isAdmitted: true });
  });

  it('[WAI3] in a burst spends the whole budget, which otherwise ends at a third of it', async () => {
    const waits = await burst({ budget: { maxUsd: 6, whenFull: 'wait' } });
    expect(waits.cost.nanoUsd).toBe(5_100_000_000);
    expect(waits.conversation().trip).toBeUndefined();
    const stops = await burst({ budget: { maxUsd: 6 } });
    expect(stops.cost.nanoUsd).toBeLessThanOrEqual(1_800_000_000);
    expect(stops.conversation().trip?.kind).toBe('budget');
  });
});

describe('a call of unknown size', () => {
  it('[BUD20] is refused beside another one: five hundred dollars on one cannot happen', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    const answers = Array.from({ length: 50 }, () => breaker.admit(modelRequest()));
    expect(answers.filter((answer) => 'permit' in answer)).toHaveLength(1);
    expect(breaker.conversation().trip).toMatchObject({
      kind: 'budget',
      reason: expect.stringContaining('are both of unknown size'),
    });
  });

  it('[BUD20] waits for another one where calls wait', async () => {
    const breaker = new Breaker({ budget });
    const calls = ['a', 'b'].map((requestId) =>
      Promise.resolve(breaker.admit(modelRequest({ requestId }))),
    );
    expect(await calls[0]).toMatchObject({ isAdmitted: true });
    end(breaker, 'a', 0.1);
    expect(await calls[1]).toMatchObject({ isAdmitted: true });
  });

  it.each([{ maxUsd: 5 }, { maxTokens: 5_000 }])(
    '[BUD20] that is run is made one at a time, up to the limit, whatever was said before: %j',
    async (limit) => {
      const breaker = new Breaker({ budget: { ...limit, whenFull: 'wait' } });
      breaker.observe(message('writer', 'A few words are no estimate of a call.'));
      let [running, atOnce, made] = [0, 0, 0];
      const work = async () => {
        atOnce = Math.max(atOnce, ++running);
        await settled();
        running--;
        made++;
        return { usage: { inputTokens: 500, outputTokens: 500, costUsd: 1 } };
      };
      const runs = Array.from({ length: 100 }, (_, i) =>
        breaker.run(modelRequest({ requestId: `${i}` }), work),
      );
      await Promise.allSettled(runs);
      expect([atOnce, made]).toEqual([1, 5]);
      expect(breaker.cost).toMatchObject({ nanoUsd: 5_000_000_000, tokens: 5_000 });
    },
  );

  it('[BUD20] passes beside others whose size is known, and after the last has ended', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.admit(modelRequest({ requestId: 'known', estimatedCostUsd: 0.1 }));
    for (const requestId of ['a', 'b', 'c']) {
      expect(breaker.admit(modelRequest({ requestId }))).toMatchObject({ isAdmitted: true });
      end(breaker, requestId, 0.1);
    }
  });

  it('[BUD20] passes beside others where nothing of it is limited', () => {
    const breaker = new Breaker({ budget: { agents: { critic: { maxUsd: 1 } } } });
    for (const requestId of ['a', 'b']) {
      expect(breaker.admit(modelRequest({ requestId }))).toMatchObject({ isAdmitted: true });
    }
  });
});
