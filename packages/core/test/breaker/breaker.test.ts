import { describe, expect, it } from 'vitest';
import type { Detector } from '../../src/detectors.ts';
import {
  Breaker,
  type BreakerOptions,
  InvalidSignalError,
  isTripped,
  type Signal,
} from '../../src/index.ts';
import type { Admission, AdmissionRequest } from '../../src/kit.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

/** Finds something wrong with every message that says so; brings news with every other. */
function alarm(level: 'warn' | 'trip' = 'trip'): Detector {
  return {
    kind: 'custom:alarm',
    observe({ signal, index }) {
      if (signal.kind !== 'message' || !signal.text.includes('alarm')) return undefined;
      const evidence = { agents: [signal.agent], indices: [0, index], count: 2, limit: 2 };
      return { level, kind: 'custom:alarm', reason: `${signal.agent} raised an alarm`, evidence };
    },
    reset() {},
    snapshot: () => null,
    restore() {},
  };
}

/** A breaker with an alarm for a detector and a clock that is set by hand. */
function guarded(options: BreakerOptions = {}) {
  const clock = { now: 0 };
  const detectors = [() => alarm()];
  const breaker = new Breaker({ cooldownMs: 1000, now: () => clock.now, detectors, ...options });
  const ask = async (agent: string, within?: Parameters<Breaker['admit']>[1]): Promise<Admission> =>
    breaker.admit(turn(agent, clock.now), within);
  return { breaker, clock, ask };
}

async function probing() {
  const team = guarded();
  team.breaker.observe(message('a', 'alarm'));
  team.clock.now = 1000;
  const answer = await team.ask('a');
  if (!answer.isAdmitted) throw new Error('the probe was refused');
  return { ...team, permit: answer.permit };
}

describe('Breaker', () => {
  it('[BRK1] gives the trip back from the signal that caused it, with its evidence', () => {
    const { breaker } = guarded();
    breaker.observe(message('a', 'a first draft'));
    breaker.observe(usage({ costUsd: 0.25 }));
    expect(breaker.observe(message('b', 'alarm'))).toEqual({
      kind: 'custom:alarm',
      basis: 'suspected',
      conversation: '',
      reason: 'b raised an alarm',
      at: 0,
      index: 2,
      agents: ['b'],
      evidence: {
        agents: ['b'],
        indices: [0, 2],
        count: 2,
        limit: 2,
        signals: [
          { index: 0, kind: 'message', agent: 'a', at: 0, excerpt: 'a first draft' },
          { index: 2, kind: 'message', agent: 'b', at: 0, excerpt: 'alarm' },
        ],
        cost: { nanoUsd: 250_000_000, tokens: 15, unpricedTokens: 0, isEstimate: false },
      },
    });
  });

  it('[BRK2] refuses every request once it has tripped, with the trip', async () => {
    const { breaker, ask } = guarded();
    expect((await ask('a')).isAdmitted).toBe(true);
    const trip = breaker.observe(message('a', 'alarm'));
    expect(await ask('b')).toEqual({ isAdmitted: false, trip });
    expect(await breaker.admit(modelRequest())).toEqual({ isAdmitted: false, trip });
  });

  it('[BRK3] takes nothing in of a malformed signal', () => {
    const { breaker } = guarded();
    const before = breaker.snapshot();
    expect(() => breaker.observe({ kind: 'message', at: 0, agent: 'a' } as Signal)).toThrow(
      InvalidSignalError,
    );
    expect(breaker.snapshot()).toEqual(before);
  });

  it.each([
    ['at', { ...turn('a'), at: Number.NaN }],
    ['agent', { kind: 'turn', at: 0 }],
    ['depth', { ...turn('a'), depth: -1 }],
    ['kind', { ...turn('a'), kind: 'usage' }],
    ['tool', { ...turn('a'), kind: 'tool-call', tool: 7, args: {} }],
  ])('[BRK3] refuses a request whose %s is malformed, and names it', (field, request) => {
    const { breaker } = guarded();
    expect(() => breaker.admit(request as AdmissionRequest)).toThrow(
      expect.objectContaining({ name: InvalidSignalError.name, field }),
    );
  });

  it('[BRK4] takes a request that announces a signal for that signal', async () => {
    const { breaker } = guarded();
    const seen: string[] = [];
    breaker.on('signal', ({ signal }) => seen.push(signal.kind));
    await breaker.admit(modelRequest());
    await breaker.admit(turn('a'));
    expect(seen).toEqual(['model-request']);
  });

  it('[BRK5] does not take a refused request in', async () => {
    const { breaker } = guarded();
    breaker.observe(message('a', 'alarm'));
    const seen: string[] = [];
    breaker.on('signal', ({ signal }) => seen.push(signal.kind));
    await breaker.admit(modelRequest());
    expect(seen).toEqual([]);
  });

  it('[BRK6] closes when the probe brings something new', async () => {
    const { breaker, ask } = await probing();
    breaker.observe(message('a', 'a wholly different finding: 42 cases', 1100));
    expect(breaker.conversation().state.status).toBe('closed');
    expect((await ask('b')).isAdmitted).toBe(true);
  });

  it('[BRK6] stays half-open when somebody else brings something new', async () => {
    const { breaker } = await probing();
    breaker.observe(message('b', 'a late message: 42 cases', 1100));
    expect(breaker.conversation().state.status).toBe('half-open');
  });

  it('[BRK7] opens again when the probe ends with nothing new', async () => {
    const { breaker, permit } = await probing();
    permit.release();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  it('[BRK8] admits what is asked for within the probe, and nothing else', async () => {
    const { ask, permit } = await probing();
    expect((await ask('nested', { within: permit })).isAdmitted).toBe(true);
    expect((await ask('b')).isAdmitted).toBe(false);
  });

  it('[BRK8] lets one of many simultaneous requests probe', async () => {
    const { breaker, clock, ask } = guarded();
    breaker.observe(message('a', 'alarm'));
    clock.now = 1000;
    const answers = await Promise.all(['a', 'b', 'c'].map((agent) => ask(agent)));
    expect(answers.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(1);
  });

  it('[BRK9] does not stop for a kind that is only to be observed', () => {
    const { breaker } = guarded({ reaction: 'observe' });
    const findings: string[] = [];
    breaker.on('finding', ({ finding }) => findings.push(finding.reason));
    expect(breaker.observe(message('a', 'alarm'))).toBeUndefined();
    expect(findings).toEqual(['a raised an alarm']);
  });

  it('[BRK10] warns once, and again only after a person has spoken', () => {
    const { breaker } = guarded({ reaction: { 'custom:alarm': 'warn' } });
    const warnings = warningsOf(breaker);
    breaker.observe(message('a', 'alarm'));
    breaker.observe(message('a', 'alarm'));
    expect(warnings).toHaveLength(1);
    breaker.observe({ kind: 'human-input', at: 0, agent: 'p', text: 'try again' });
    breaker.observe(message('a', 'alarm'));
    expect(warnings).toHaveLength(2);
  });

  it('[BRK10] never stops for a finding that is only a warning', () => {
    const { breaker } = guarded({ detectors: [() => alarm('warn')] });
    expect(breaker.observe(message('a', 'alarm'))).toBeUndefined();
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK11] goes on when a listener throws or its promise fails, and says so', async () => {
    const { breaker } = guarded();
    const errors: unknown[] = [];
    const told = new Promise<void>((resolve) => {
      breaker.on('error', ({ error }) => {
        if (errors.push(error) === 2) resolve();
      });
    });
    breaker.on('trip', () => {
      throw new Error('sync');
    });
    breaker.on('trip', async () => {
      throw new Error('async');
    });
    let isTold = false;
    breaker.on('trip', () => {
      isTold = true;
    });
    expect(breaker.observe(message('a', 'alarm'))).toBeDefined();
    await told;
    expect(isTold).toBe(true);
    expect(errors).toEqual([new Error('sync'), new Error('async')]);
  });

  it('[BRK11] goes on when a detector of the user throws, and says so', () => {
    const broken: Detector = {
      ...alarm(),
      kind: 'custom:broken',
      observe() {
        throw new Error('no idea');
      },
    };
    const { breaker } = guarded({ detectors: [() => broken, () => alarm()] });
    const errors: unknown[] = [];
    breaker.on('error', (told) => errors.push(told));
    expect(breaker.observe(message('a', 'alarm'))?.kind).toBe('custom:alarm');
    expect(errors).toEqual([{ error: new Error('no idea'), during: 'detector', conversation: '' }]);
  });

  it('[BRK11] goes on when a function gives a promise that has to answer at once, and says so', async () => {
    const late = (): never => Promise.reject(new Error('of no matter')) as never;
    const broken: Detector = { ...alarm(), kind: 'custom:late', observe: late, reset: late };
    const { breaker } = guarded({
      detectors: [() => broken, () => alarm()],
      redact: late,
      prices: { price: late },
    });
    const errors: string[] = [];
    breaker.on('error', ({ during, error }) => errors.push(`${during}: ${error}`));
    const { costUsd: _, ...unpriced } = usage();
    breaker.observe(unpriced);
    expect(breaker.observe(message('a', 'alarm'))?.reason).toContain('[not shown');
    await breaker.conversation('b').run(turn('b'), () => 'a turn', { report: late });
    breaker.reset();
    await new Promise(setImmediate);
    const expected = 'TypeError: %s: expected an answer at once, received a promise';
    for (const [during, what] of [
      ['detector', 'custom:late'],
      ['redact', 'redact'],
      ['prices', 'prices.price'],
    ]) {
      expect(errors).toContain(`${during}: ${expected.replace('%s', what as string)}`);
    }
    expect(errors.join()).toContain(expected.replace('%s', 'report'));
    expect(errors).toContain('detector: Error: of no matter');
  });

  it('[BRK12] stays stopped by hand until it is reset', async () => {
    const { breaker, clock, ask } = guarded();
    breaker.stop('lunch');
    clock.now = 1e12;
    expect(await ask('a')).toMatchObject({
      isAdmitted: false,
      trip: { kind: 'manual', reason: 'lunch' },
    });
    breaker.reset();
    expect((await ask('a')).isAdmitted).toBe(true);
  });

  it('[BRK13] throws a TrippedError that carries the trip', () => {
    const { breaker } = guarded();
    expect(() => breaker.conversation().assertClosed()).not.toThrow();
    const trip = breaker.observe(message('a', 'alarm'));
    try {
      breaker.conversation().assertClosed();
      expect.unreachable();
    } catch (error) {
      expect(isTripped(error) && error.trip).toEqual(trip);
    }
  });

  it('[BRK14] quotes nothing when excerpts are switched off', () => {
    const { breaker } = guarded({ excerpts: false });
    breaker.observe(message('a', 'secret'));
    const trip = breaker.observe(message('a', 'alarm'));
    expect(JSON.stringify(trip?.evidence.signals)).not.toMatch(/secret|alarm/);
  });

  it('[BRK15] quotes no control characters, line breaks or direction marks', () => {
    const { breaker } = guarded();
    breaker.observe(message('a', '\u001b[31mred\u202e\nnext\u0000'));
    const trip = breaker.observe(message('\u0007\u202ebell', 'alarm'));
    expect(trip?.evidence.signals[0]?.excerpt).toBe('[31mred next');
    expect(trip?.reason).toBe('bell raised an alarm');
  });

  it('[BRK15] never cuts a character in half, nor quotes half of one', () => {
    const { breaker } = guarded();
    breaker.observe(message('a', `${'\u200b'.repeat(319)}🦊${'-'.repeat(900)}`));
    const trip = breaker.observe(message('\ud83e', 'alarm'));
    expect(trip?.evidence.signals[0]?.excerpt).toBe('');
    expect(trip?.reason).toBe('raised an alarm');
  });

  it('[BRK16] keeps what was spent over a reset', () => {
    const { breaker } = guarded();
    breaker.observe(usage({ costUsd: 0.5 }));
    breaker.reset();
    expect(breaker.cost.nanoUsd).toBe(500_000_000);
  });

  it('[BRK17] refuses two detectors of one kind and a reaction it does not know', () => {
    expect(() => guarded({ detectors: [() => alarm(), () => alarm()] })).toThrow(
      "option 'detectors'",
    );
    expect(() => guarded({ reaction: 'panic' as 'stop' })).toThrow("option 'reaction'");
    expect(() => guarded({ reaction: null as unknown as 'stop' })).toThrow("option 'reaction'");
    expect(() => guarded({ cooldownMs: 16 * 60_000 })).toThrow("option 'cooldownMs'");
  });

  it('[BRK18] never mutates a signal', () => {
    const { breaker } = guarded();
    const signal = Object.freeze(message('a', 'alarm'));
    expect(() => breaker.observe(signal)).not.toThrow();
  });
});
