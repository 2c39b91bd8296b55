import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerOptions,
  type BudgetStore,
  MemoryBudgetStore,
} from '../../src/index.ts';
import type { Admission } from '../../src/kit.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

const wrapUp = { maxTokens: 50 };

/** A call that writes up what is there. */
const lastWord = (more: object = {}) =>
  modelRequest({ isWrapUp: true, maxOutputTokens: 50, ...more });

/** A breaker whose team was stopped by a loop. */
function looping(options: BreakerOptions = {}, isOn = true) {
  const clock = new FakeClock(1_000);
  const breaker = new Breaker({ ...(isOn && { wrapUp }), now: clock.now, ...options });
  const trips: string[] = [];
  breaker.on('trip', ({ kind }) => trips.push(kind));
  for (let lap = 0; breaker.conversation().trip === undefined; lap++) {
    breaker.observe({ kind: 'tool-call', agent: 'bot', tool: 'look', args: {}, result: 'blue' });
    if (lap > 9) throw new Error('no loop');
  }
  return { breaker, clock, trips };
}

const isAdmitted = (admission: unknown): boolean => (admission as Admission).isAdmitted;

describe('the last answer after a stop', () => {
  it('[LST1] is one call of each stop, which stays a stop', () => {
    const { breaker, trips } = looping();
    const { state } = breaker.conversation();
    expect(isAdmitted(breaker.admit(lastWord()))).toBe(true);
    breaker.observe(usage());
    breaker.observe(message('bot', 'It was blue.'));
    expect(isAdmitted(breaker.admit(lastWord()))).toBe(false);
    expect(isAdmitted(breaker.admit(modelRequest()))).toBe(false);
    expect(trips).toEqual(['repetition']);
    expect(breaker.conversation().state).toEqual({
      ...state,
      trip: { ...breaker.conversation().trip, hasLastAnswer: true },
    });
  });

  it('[LST1] waits on for the budget where the stop comes while it waits', async () => {
    const budget = { maxTokens: 100, whenFull: 'wait' } as const;
    const breaker = new Breaker({ wrapUp, maxMessages: 1, budget });
    breaker.admit(modelRequest({ requestId: 'first', inputTokens: 40, maxOutputTokens: 40 }));
    const last = breaker.admit(lastWord({ requestId: 'last', inputTokens: 10 }));
    breaker.observe(message('bot', 'It is blue.'));
    breaker.observe(usage({ requestId: 'first', inputTokens: 20, outputTokens: 10 }));
    expect(isAdmitted(await last)).toBe(true);
  });

  it('[LST1] is there again after the next stop', () => {
    const { breaker } = looping();
    breaker.admit(lastWord());
    breaker.reset();
    const limited = new Breaker({ wrapUp, maxMessages: 1 });
    for (const one of [breaker, limited]) {
      for (let said = 0; said < 12; said++) one.observe(message('bot', 'Thank you very much.'));
      expect(one.conversation().trip?.hasLastAnswer).toBeUndefined();
      expect(isAdmitted(one.admit(lastWord()))).toBe(true);
    }
  });

  it('[LST1] is one of many that are asked for side by side', async () => {
    const books = new MemoryBudgetStore();
    const store: BudgetStore = {
      reserve: async (...request) => books.reserve(...request),
      settle: async (...spent) => books.settle(...spent),
      totals: async (...names) => books.totals(...names),
    };
    const { breaker } = looping({ budget: { maxTokens: 9_000, store } });
    const asked = Array.from({ length: 8 }, (_, i) =>
      breaker.admit(lastWord({ requestId: `${i}` })),
    );
    const admissions = await Promise.all(asked);
    expect(admissions.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(1);
  });

  it('[LST2] is refused unless its bound is within that of the option', () => {
    const { breaker } = looping();
    for (const maxOutputTokens of [51, undefined])
      expect(isAdmitted(breaker.admit(lastWord({ maxOutputTokens })))).toBe(false);
    expect(isAdmitted(breaker.admit(lastWord()))).toBe(true);
  });

  it('[LST3] is refused to a team that a person has stopped, also after something else had', () => {
    const { breaker } = looping();
    breaker.stop('enough');
    const byHand = new Breaker({ wrapUp });
    byHand.stop();
    for (const one of [breaker, byHand]) expect(isAdmitted(one.admit(lastWord()))).toBe(false);
  });

  it('[LST4] needs its reservation, and is left for another call where it has none', () => {
    const budget = { maxTokens: 100, reserveTokens: 60 };
    const breaker = new Breaker({ wrapUp, budget });
    breaker.observe(usage({ inputTokens: 20, outputTokens: 30 }));
    breaker.admit(modelRequest({ inputTokens: 10 }));
    const ask = (inputTokens: number): boolean =>
      isAdmitted(
        breaker.admit(lastWord({ inputTokens, maxOutputTokens: 20, requestId: `${inputTokens}` })),
      );
    expect([breaker.conversation().trip?.kind, ask(40), ask(20), ask(1)]).toEqual([
      'budget',
      false,
      true,
      false,
    ]);
  });

  it('[LST4] needs room in the window of its model', () => {
    const { breaker } = looping({ contextWindow: { maxContextTokens: 100 } });
    expect(isAdmitted(breaker.admit(lastWord({ inputTokens: 60 })))).toBe(false);
    expect(isAdmitted(breaker.admit(lastWord({ inputTokens: 40 })))).toBe(true);
  });

  it('[LST5] is no probe, moves no cool-down and passes beside no probe', () => {
    const { breaker, clock } = looping();
    clock.advance(60_000);
    expect(isAdmitted(breaker.admit(lastWord()))).toBe(true);
    expect(breaker.conversation().state.status).toBe('open');
    const probe = breaker.admit(modelRequest({ at: clock.now() })) as Admission;
    expect(probe).toMatchObject({ permit: { isProbe: true } });

    const half = looping();
    half.clock.advance(60_000);
    half.breaker.admit(modelRequest({ at: half.clock.now() }));
    expect(isAdmitted(half.breaker.admit(lastWord()))).toBe(false);
    expect(half.breaker.conversation().state.status).toBe('half-open');
  });

  it('[LST6] is not there without the option, and not for a team that is not stopped', () => {
    const { breaker } = looping({}, false);
    expect(isAdmitted(breaker.admit(lastWord()))).toBe(false);
    const healthy = new Breaker({ wrapUp });
    expect(isAdmitted(healthy.admit(lastWord()))).toBe(true);
    expect(healthy.conversation().trip).toBeUndefined();
  });

  it('[LST7] is in the snapshot once it was given', () => {
    const { breaker } = looping();
    breaker.admit(lastWord());
    const other = new Breaker({ wrapUp });
    other.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(isAdmitted(other.admit(lastWord()))).toBe(false);
  });
});
