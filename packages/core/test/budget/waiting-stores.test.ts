import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import type { Admission } from '../../src/kit.ts';
import { modelRequest, usage } from '../support/signals.ts';

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
