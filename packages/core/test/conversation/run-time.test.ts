import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerOptions,
  type BudgetStore,
  MemoryBudgetStore,
  TrippedError,
} from '../../src/index.ts';
import { heard, isThere, judged } from '../support/judge.ts';
import { message, modelRequest, turn } from '../support/signals.ts';
import { HandTimers } from '../support/timers.ts';

const CALL = { kind: 'tool-call', agent: 'a', at: 1000, tool: 'read', args: {} } as const;
const HANG = (): Promise<never> => new Promise(() => {});

function timed(options: BreakerOptions = {}) {
  const timers = new HandTimers();
  const breaker = new Breaker({ maxRunMs: 300, now: () => 1000, timers, ...options });
  return { breaker, timers };
}

describe('a run whose time is limited', () => {
  it('[RUN10] ends while a tool hangs: the tool is told, and the run rejected with the trip', async () => {
    const { breaker, timers } = timed();
    let aborted: unknown;
    const run = breaker.run(CALL, ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = signal.reason;
      });
      return HANG();
    });
    await heard();
    expect(timers.waits).toEqual([300]);
    timers.ring();
    await expect(run).rejects.toThrow('its time limit of 300 ms');
    expect(aborted).toBeInstanceOf(TrippedError);
    expect([breaker.conversation().trip?.kind, timers.waits]).toEqual(['limit', []]);
  });

  it('[RUN10] goes on where the tool answers in time, and leaves no timer behind', async () => {
    const { breaker, timers } = timed();
    expect(await breaker.run(CALL, async () => 'done')).toBe('done');
    timers.ring();
    expect([breaker.conversation().trip, timers.waits]).toEqual([undefined, []]);
  });

  it('[RUN10] is told what comes late, which changes nothing', async () => {
    const { breaker, timers } = timed();
    let answer = (_: string): void => {};
    const run = breaker.run(
      CALL,
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    await heard();
    timers.ring();
    await expect(run).rejects.toThrow(TrippedError);
    const { trip } = breaker.conversation();
    answer('late');
    await heard();
    expect(breaker.counters.toolCalls).toBe(1);
    expect(breaker.conversation().trip).toBe(trip);
  });

  it('[RUN10] has what is left since its first signal', async () => {
    const { breaker, timers } = timed();
    breaker.observe(message('a', 'hello', 900));
    void breaker.run(CALL, HANG).catch(() => {});
    await heard();
    expect(timers.waits).toEqual([200]);
  });

  it('[RUN10] is given the time that a person took meanwhile', async () => {
    const { breaker, timers } = timed();
    void breaker.run(CALL, HANG).catch(() => {});
    await heard();
    breaker.observe({ kind: 'human-input', at: 1250, agent: 'p', text: 'Go on.', waitedMs: 250 });
    timers.ring();
    expect([breaker.conversation().trip, timers.waits]).toEqual([undefined, [250]]);
    timers.ring();
    expect(breaker.conversation().trip?.kind).toBe('limit');
  });

  it('[RUN10] waits for a turn, in which a person may be asked', async () => {
    const { breaker, timers } = timed();
    void breaker.run({ ...turn('a'), at: 1000 }, HANG);
    await heard();
    expect(timers.waits).toEqual([]);
  });

  it('[RUN10] ends steps around the one that hangs', async () => {
    const { breaker, timers } = timed();
    const run = breaker.run({ ...turn('a'), at: 1000 }, async () => {
      await breaker.run(CALL, HANG);
      return 'said';
    });
    await heard();
    timers.ring();
    await expect(run).rejects.toThrow(TrippedError);
  });

  it('[RUN10] is told once, and not ended, where limits are only observed', async () => {
    const { breaker, timers } = timed({ reaction: 'observe' });
    const findings: string[] = [];
    breaker.on('finding', ({ finding }) => findings.push(finding.kind));
    const run = breaker.run(CALL, HANG);
    await heard();
    timers.ring();
    expect([findings, timers.waits]).toEqual([['limit'], []]);
    expect(await isThere(run)).toBe(false);
  });

  it('[RUN10] keeps the process alive while a step is under way', async () => {
    const refs: string[] = [];
    const timer = { ref: () => refs.push('ref'), unref: () => refs.push('unref') };
    const set = () => timer;
    const { breaker } = timed({ timers: { set, clear: () => refs.push('clear') } });
    await breaker.run(CALL, async () => {
      await heard();
      expect(refs.at(-1)).toBe('ref');
    });
    expect(refs.at(-1)).toBe('clear');
  });

  it('[RUN10] has no timer where no limit is declared', async () => {
    const { breaker, timers } = timed({ maxRunMs: undefined as never });
    void breaker.run(CALL, HANG);
    await heard();
    expect(timers.waits).toEqual([]);
  });
});

describe('a step that waits for a blocking judge', () => {
  function waiting(options: BreakerOptions = {}) {
    const timers = new HandTimers();
    const given = { timers, maxRunMs: 300, ...options };
    return { ...judged(given, { blocking: true, timeoutMs: 90_000 }), timers };
  }

  it('[RUN10] is refused when the time of the run is over', async () => {
    const { breaker, timers, stall } = waiting();
    stall();
    const asked = breaker.admit(turn('a'));
    expect(timers.waits).toHaveLength(2);
    timers.ring();
    expect(await asked).toMatchObject({ isAdmitted: false, trip: { kind: 'limit' } });
    expect(timers.waits).toEqual([]);
  });

  it.each([turn('a'), modelRequest()])(
    '[JDG24] ends when its caller gives up: $kind',
    async (step) => {
      const { breaker, stall } = waiting();
      stall();
      const { signal, abort } = controlled();
      const asked = breaker.admit(step, { signal });
      abort(new Error('enough'));
      await expect(asked).rejects.toThrow('enough');
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  it('[JDG24] ends in run() too, and its work does not begin', async () => {
    const { breaker, stall } = waiting();
    stall();
    const { signal, abort } = controlled();
    let isBegun = false;
    const run = breaker.run(
      CALL,
      () => {
        isBegun = true;
      },
      { signal },
    );
    await heard();
    abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    expect(isBegun).toBe(false);
  });

  it('[JDG24] gives back what it holds when its caller gives up', async () => {
    const store = new SlowStore();
    const { breaker, judge, stall } = waiting({ budget: { maxTokens: 100, store } });
    const { signal, abort } = controlled();
    const asked = breaker.admit(modelRequest({ inputTokens: 60 }), { signal });
    stall();
    await heard();
    expect([store.totals().reserved.tokens, judge.questions.length]).toEqual([60, 1]);
    abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await heard();
    expect(store.totals().reserved.tokens).toBe(0);
  });

  it('[JDG24] goes on where its caller stays', async () => {
    const { breaker, judge, stall } = waiting();
    stall();
    const asked = breaker.admit(turn('a'), { signal: controlled().signal });
    await judge.says(0);
    expect(await asked).toMatchObject({ isAdmitted: true });
  });
});

/** Answers a request for money with a promise. */
class SlowStore implements BudgetStore {
  readonly #books = new MemoryBudgetStore();
  readonly settle = this.#books.settle.bind(this.#books);
  readonly totals = this.#books.totals.bind(this.#books);

  async reserve(...request: Parameters<BudgetStore['reserve']>) {
    return this.#books.reserve(...request);
  }
}

function controlled() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}
