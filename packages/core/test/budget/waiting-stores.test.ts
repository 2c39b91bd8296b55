import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Breaker, type BudgetStore, MemoryBudgetStore } from '../../src/index.ts';
import type { Admission } from '../../src/kit.ts';
import { modelRequest, usage } from '../support/signals.ts';
import { HandTimers } from '../support/timers.ts';

/** A store whose answers to reservations can be held back; it has decided by then. */
class HeldStore extends MemoryBudgetStore {
  asked = 0;
  #held: Promise<void> | undefined;
  #release = (): void => {};

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  async release(): Promise<void> {
    this.#held = undefined;
    this.#release();
    await settled();
  }

  override reserve(...request: Parameters<MemoryBudgetStore['reserve']>) {
    this.asked++;
    const answer = super.reserve(...request);
    return this.#held === undefined ? answer : (this.#held.then(() => answer) as never);
  }
}

/** A budget of a dollar of which a call under way has 60 cents, while another one that needs as many waits. */
async function setUp() {
  const store = new HeldStore();
  const breaker = new Breaker({ budget: { maxUsd: 1, whenFull: 'wait', store } });
  const call = (requestId: string) => modelRequest({ requestId, estimatedCostUsd: 0.6 });
  const caller = new AbortController();
  breaker.admit(call('first'));
  const asked: { answer?: Admission; error?: unknown } = {};
  void Promise.resolve(breaker.admit(call('second'), { signal: caller.signal })).then(
    (answer) => (asked.answer = answer),
    (error: unknown) => (asked.error = error),
  );
  await settled();
  const endFirst = () => breaker.observe(usage({ requestId: 'first', costUsd: 0.1 }));
  return { store, breaker, caller, asked, endFirst };
}

describe('a call that waits for a store to answer', () => {
  it('[WAI2] gives back what is reserved for it after its caller has given up', async () => {
    const { store, caller, asked, endFirst } = await setUp();
    store.hold();
    endFirst();
    await settled();
    expect(store.totals().reserved.nanoUsd).toBe(600_000_000);
    caller.abort(new Error('enough'));
    await store.release();
    expect(asked.error).toBe(caller.signal.reason);
    expect(store.totals()).toMatchObject({
      spent: { nanoUsd: 100_000_000 },
      reserved: { nanoUsd: 0 },
    });
  });

  it('[WAI2] is refused to a caller who has given up, whatever the store answers', async () => {
    const { store, breaker, caller, asked } = await setUp();
    store.hold();
    breaker.raise({ maxUsd: 1.1 });
    await settled();
    caller.abort(new Error('enough'));
    await store.release();
    expect(asked.error).toBe(caller.signal.reason);
    expect(store.totals().reserved.nanoUsd).toBe(600_000_000);
  });

  it('[WAI1] is asked for once at a time, and again if something has changed meanwhile', async () => {
    const { store, breaker, asked } = await setUp();
    const before = store.asked;
    store.hold();
    breaker.raise({ maxUsd: 1.1 });
    await settled();
    breaker.raise({ maxUsd: 2 });
    await settled();
    expect([store.asked - before, asked]).toEqual([1, {}]);
    await store.release();
    expect([store.asked - before, asked.answer?.isAdmitted]).toEqual([2, true]);
  });

  it('[WAI1] is not asked for again while nothing changes', async () => {
    const { store, breaker, endFirst } = await setUp();
    endFirst();
    await settled();
    const before = store.asked;
    breaker.observe(usage({ requestId: 'second', costUsd: 0.1 }));
    await settled();
    expect(store.asked).toBe(before);
  });
});

/** A call that waits for another one of 60 cents of a dollar, about which a store has decided, but not answered yet. */
async function behind(othersUsd = 0) {
  const memory = new MemoryBudgetStore();
  memory.reserve('of others', { nanoUsd: othersUsd * 1e9, tokens: 0 }, {});
  const answered: { answer?: (answer: unknown) => void; fail?: (error: unknown) => void } = {};
  const store: BudgetStore = {
    settle: (...args) => memory.settle(...args),
    totals: (...args) => memory.totals(...args),
    reserve: (...args) => {
      const decided = memory.reserve(...args);
      if (answered.answer !== undefined) return decided;
      return new Promise((resolve, reject) => {
        answered.answer = (answer) => resolve((answer ?? decided) as never);
        answered.fail = reject;
      });
    },
  };
  const timers = new HandTimers();
  const breaker = new Breaker({ budget: { maxUsd: 1, whenFull: 'wait', store }, timers });
  const isAdmitted: (boolean | 'failed' | undefined)[] = [undefined, undefined];
  for (const [i, requestId] of ['first', 'second'].entries()) {
    const request = modelRequest({ requestId, estimatedCostUsd: 0.6 });
    void Promise.resolve(breaker.conversation(requestId).admit(request)).then(
      (answer) => (isAdmitted[i] = answer.isAdmitted),
      () => (isAdmitted[i] = 'failed'),
    );
  }
  await settled();
  expect(isAdmitted).toEqual([undefined, undefined]);
  return { ...answered, timers, breaker, isAdmitted };
}

describe('a call that waits for one that a store has not answered', () => {
  it('[WAI5] goes on after an answer that is wrong', async () => {
    const { answer, isAdmitted } = await behind();
    answer?.('yes');
    await settled();
    expect(isAdmitted).toEqual(['failed', true]);
  });

  it('[WAI5] waits for it where the store has granted it', async () => {
    const { answer, isAdmitted, breaker } = await behind();
    answer?.(undefined);
    await settled();
    expect(isAdmitted).toEqual([true, undefined]);
    breaker.conversation('first').observe(usage({ requestId: 'first', costUsd: 0.1 }));
    await settled();
    expect(isAdmitted).toEqual([true, true]);
  });

  it.each<[string, (scene: Awaited<ReturnType<typeof behind>>) => void]>([
    ['rejects', ({ fail }) => fail?.(new Error('the store is down'))],
    ['does not answer in time', ({ timers }) => timers.ring()],
  ])('[WAI5] does not wait for ever where the store %s', async (_, end) => {
    const scene = await behind();
    end(scene);
    await settled();
    // The store still holds what it has reserved.
    expect(scene.isAdmitted).toEqual(['failed', false]);
  });

  it('[WAI5] does not wait for ever where the store refuses it', async () => {
    const { answer, isAdmitted } = await behind(0.5);
    answer?.(undefined);
    await settled();
    expect(isAdmitted).toEqual([false, false]);
  });
});
