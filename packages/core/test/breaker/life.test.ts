import { describe, expect, it } from 'vitest';
import type { Detector } from '../../src/detectors.ts';
import { Breaker, InvalidOptionError, type Signal } from '../../src/index.ts';
import { heard, isThere, judged, sayingDetector } from '../support/judge.ts';
import { mainOf, message, modelRequest, turn, usage } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

const same = 'I will look into it now, one moment.';

function indices(breaker: Breaker): number[] {
  const seen: number[] = [];
  breaker.on('signal', ({ index }) => seen.push(index));
  return seen;
}

describe('stopping by hand', () => {
  it('[BRK12] returns a trip with the reason, the time and the index of the next signal', () => {
    const breaker = new Breaker({ now: () => 42 });
    breaker.observe(message('a', 'one'));
    breaker.observe(usage());
    expect(breaker.stop()).toEqual({
      kind: 'manual',
      basis: 'declared',
      conversation: '',
      reason: 'stopped by hand',
      at: 42,
      index: 2,
      agents: [],
      evidence: {
        agents: [],
        indices: [],
        count: 1,
        limit: 1,
        signals: [],
        cost: { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false },
      },
    });
  });

  it('[BRK12] replaces an open circuit, and returns the first trip the second time', () => {
    const breaker = new Breaker({ detectors: [() => sayingDetector()] });
    const reasons: string[] = [];
    breaker.on('trip', ({ reason }) => reasons.push(reason));
    breaker.observe(message('a', 'trip'));
    const trip = breaker.stop('enough');
    expect(breaker.conversation().state).toEqual({ status: 'stopped', trip });
    expect(breaker.stop('again')).toBe(trip);
    expect(reasons).toEqual(['a said trip', 'enough']);
  });

  it('[BRK12] returns the trip even if a listener resets the breaker at once', () => {
    const breaker = new Breaker();
    breaker.on('state', ({ to }) => to.status === 'stopped' && breaker.reset());
    expect(breaker.stop('enough').reason).toBe('enough');
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK19] calls listeners once the circuit is stopped', () => {
    const breaker = new Breaker();
    const seen: unknown[] = [];
    breaker.on('state', () => seen.push(breaker.conversation().trip?.reason));
    breaker.on('trip', () => seen.push(breaker.conversation().trip?.reason));
    breaker.stop('enough');
    expect(seen).toEqual(['enough', 'enough']);
  });
});

describe('a reset', () => {
  it('[BRK23] begins to count signals at 0 again, and quotes none from before', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const seen = indices(breaker);
    breaker.observe(message('a', 'before'));
    breaker.reset();
    expect(breaker.observe(message('b', 'after'))?.evidence.signals).toEqual([
      { index: 0, kind: 'message', agent: 'b', at: 0, excerpt: 'after' },
    ]);
    expect(seen).toEqual([0, 0]);
    breaker.reset();
    expect(breaker.stop().index).toBe(0);
  });

  it('[BRK23] lets detectors and analysis start afresh', () => {
    const breaker = new Breaker();
    for (const at of [0, 1]) breaker.observe(message('a', same, at));
    breaker.reset();
    const fresh = new Breaker();
    const { counters, spend, ...forgotten } = mainOf(breaker.snapshot());
    expect(mainOf(fresh.snapshot())).toMatchObject(forgotten);
    for (const at of [2, 3]) expect(breaker.observe(message('a', same, at))).toBeUndefined();
    expect(breaker.observe(message('a', same, 4))?.kind).toBe('repetition');
  });

  it('[BRK23] allows the warnings again that were given', () => {
    const detectors = [() => sayingDetector()];
    const breaker = new Breaker({ detectors, reaction: 'warn' });
    const warnings = warningsOf(breaker);
    for (const at of [0, 1]) breaker.observe(message('a', 'trip', at));
    breaker.reset();
    for (const at of [2, 3]) breaker.observe(message('a', 'trip', at));
    expect(warnings).toHaveLength(2);
  });

  it('[BRK23] of a closed circuit emits no state', () => {
    const breaker = new Breaker();
    let states = 0;
    breaker.on('state', () => states++);
    breaker.reset();
    expect(states).toBe(0);
  });

  it('[JDG11] ends a question, and a new run and a stop do so as well', async () => {
    const ways = ['reset', 'beginRun', 'stop'] as const;
    for (const way of ways) {
      const { breaker, judge, stall } = judged({}, { blocking: true });
      stall();
      expect(await isThere(breaker.conversation().settled())).toBe(false);
      breaker.conversation()[way]();
      expect(await isThere(breaker.conversation().settled())).toBe(true);
      await judge.says(true);
      expect(breaker.conversation().trip?.kind).toBe(way === 'stop' ? 'manual' : undefined);
    }
  });

  it('[JDG2] counts questions of all conversations from 0 again', async () => {
    const { breaker, stall } = judged();
    stall();
    const other = breaker.conversation('other');
    for (let i = 0; i < 40 && other.questions === 0; i++) {
      other.observe(message('ab'.charAt(i % 2), same, i));
    }
    expect(breaker.judged.questions).toBe(2);
    breaker.reset();
    expect(breaker.judged.questions).toBe(0);
    await heard();
  });
});

describe('what a breaker is asked for', () => {
  it('[BRK24] is the time on its clock, and the wall clock without one', () => {
    expect(new Breaker({ now: () => 7 }).now()).toBe(7);
    const before = Date.now();
    const now = new Breaker().now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('[BRK24] is a cool-down of a minute unless declared', () => {
    const breaker = new Breaker({ detectors: [() => sayingDetector()] });
    breaker.observe(message('a', 'trip'));
    expect(breaker.admit(turn('a', 59_999))).toMatchObject({ isAdmitted: false });
    expect(breaker.admit(turn('a', 60_000))).toMatchObject({ isAdmitted: true });
  });

  it('[JDG2] has no questions, and no answer to wait for, without a judge', () => {
    const breaker = new Breaker();
    expect(breaker.judged.questions).toBe(0);
    expect(breaker.conversation().settled()).toBeUndefined();
    expect(breaker.conversation().answered()).toBeUndefined();
    const trip = breaker.stop();
    expect([breaker.conversation().settled(), breaker.conversation().answered()]).toEqual([
      trip,
      trip,
    ]);
  });

  it.each([-1, Number.NaN])('[BUD10] refuses to book %d dollars', (usd) => {
    expect(() => new Breaker().trackCost(usd)).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option: 'usd' }),
    );
  });

  it('[BRK1] counts money booked by hand into what a loop has cost since its first signal', () => {
    const pointing: Detector = {
      ...sayingDetector(),
      observe: ({ signal, index }) =>
        signal.kind === 'message' && signal.text === 'trip'
          ? {
              level: 'trip',
              kind: 'custom:said',
              reason: 'said trip',
              evidence: { agents: ['a'], indices: [1, index], count: 2, limit: 2 },
            }
          : undefined,
    };
    const breaker = new Breaker({ detectors: [() => pointing] });
    breaker.trackCost(1);
    breaker.observe(message('a', 'one'));
    breaker.trackCost(0.25);
    breaker.observe(message('a', 'two'));
    breaker.trackCost(0.5);
    expect(breaker.observe(message('a', 'trip'))?.evidence.cost.nanoUsd).toBe(750_000_000);
  });

  it('[BRK1] says what the call alone has cost where the evidence has no signals', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.observe(usage({ costUsd: 0.75 }));
    expect(breaker.observe(usage({ costUsd: 0.5 }))?.evidence.cost.nanoUsd).toBe(500_000_000);
  });

  it('[BRK15] gives reasons of at most 400 characters', () => {
    const long = { ...sayingDetector(), observe: () => finding } as Detector;
    const evidence = { agents: [], indices: [], count: 1, limit: 1 };
    const finding = { level: 'trip', kind: 'custom:said', reason: 'so '.repeat(500), evidence };
    const reason = new Breaker({ detectors: [() => long] }).observe(message('a', 'x'))?.reason;
    expect(reason?.length).toBeGreaterThan(300);
    expect(reason?.length).toBeLessThanOrEqual(400);
  });

  it('[BRK1] quotes no signal that has not been observed', () => {
    const wrong: Detector = {
      ...sayingDetector(),
      observe: (step) => {
        const found = sayingDetector().observe(step);
        return found && { ...found, evidence: { ...found.evidence, indices: [0, 7] } };
      },
    };
    const breaker = new Breaker({ detectors: [() => wrong] });
    expect(breaker.observe(message('a', 'trip'))?.evidence.signals).toHaveLength(1);
  });

  it('[BRK15] quotes the latest 512 signals', () => {
    const every: Detector = {
      ...sayingDetector(),
      observe: ({ signal, index }) =>
        signal.kind === 'message' && signal.text === 'trip'
          ? {
              level: 'trip',
              kind: 'custom:said',
              reason: 'said trip',
              evidence: { agents: [], indices: [0, 1, index], count: 1, limit: 1 },
            }
          : undefined,
    };
    const breaker = new Breaker({ detectors: [() => every] });
    for (let i = 0; i < 512; i++) breaker.observe(usage({ at: i }));
    const trip = breaker.observe(message('a', 'trip'));
    expect(trip?.evidence.signals.map(({ index }) => index)).toEqual([1, 512]);
  });
});

describe('a judge', () => {
  it('[JDG1] is asked nothing while the circuit is open', () => {
    const { breaker, judge, say, stall } = judged({ detectors: [() => sayingDetector('certain')] });
    say('trip');
    stall();
    expect(breaker.conversation().state.status).toBe('open');
    expect(judge.questions).toEqual([]);
  });

  it('[JDG13] keeps a request waiting that is not observed if the answer stops the team', async () => {
    const { breaker, judge, stall } = judged({}, { blocking: true });
    stall();
    const kinds: string[] = [];
    breaker.on('signal', ({ signal }) => kinds.push(signal.kind));
    const answer = breaker.admit(modelRequest());
    await judge.says(true);
    expect(await answer).toMatchObject({ isAdmitted: false });
    expect(kinds).toEqual([]);
  });
});

describe('several findings of one signal', () => {
  it('[BRK1] open the circuit once, for a limit before a suspicion', () => {
    const breaker = new Breaker({ maxMessages: 3 });
    const trips: string[] = [];
    breaker.on('trip', ({ kind }) => trips.push(kind));
    const said = [0, 1, 2].map((at) => breaker.observe(message('a', same, at))?.kind);
    expect(said).toEqual([undefined, undefined, 'limit']);
    expect(trips).toEqual(['limit']);
    expect(breaker.counters.trips).toBe(1);
    expect(breaker.conversation().trip?.kind).toBe('limit');
  });

  it('[CIR9] leave a limit in place that came first', () => {
    const breaker = new Breaker({ detectors: [() => sayingDetector()], maxMessages: 1 });
    const trips: string[] = [];
    breaker.on('trip', ({ kind }) => trips.push(kind));
    expect(breaker.observe(message('a', 'trip'))?.kind).toBe('limit');
    expect(trips).toEqual(['limit']);
  });

  it('[BRK9] are all emitted each time where they are only observed', () => {
    const breaker = new Breaker({ detectors: [() => sayingDetector()], reaction: 'observe' });
    const kinds: string[] = [];
    breaker.on('finding', ({ index, finding }) => kinds.push(`${index} ${finding.kind}`));
    const signals: Signal[] = [message('a', 'one'), message('a', 'trip'), message('a', 'trip')];
    for (const signal of signals) expect(breaker.observe(signal)).toBeUndefined();
    expect(kinds).toEqual(['1 custom:said', '2 custom:said']);
  });
});
