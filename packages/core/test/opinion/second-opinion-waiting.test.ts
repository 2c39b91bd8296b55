import { describe, expect, it } from 'vitest';
import { Breaker, type Confirm } from '../../src/index.ts';
import { asked, heard, isThere, Judge, sayingDetector } from '../support/judge.ts';
import { message, modelRequest, turn } from '../support/signals.ts';

describe('confirm: while it is asked', () => {
  it.each([true, false])('[CNF8] makes requests wait for its answer: %s', async (isLoop) => {
    const { breaker, judge, say } = asked();
    say('trip');
    const pending = [breaker.admit(turn('a')), breaker.admit(modelRequest()), breaker.settled()];
    for (const one of pending) expect(await isThere(one)).toBe(false);
    await judge.says(isLoop);
    const [first, second, trip] = await Promise.all(pending);
    expect(first).toMatchObject({ isAdmitted: !isLoop });
    expect(second).toMatchObject({ isAdmitted: !isLoop });
    expect(trip).toEqual(breaker.trip);
  });

  it('[CNF8] takes a request that has to wait in once it is admitted, and not if it is refused', async () => {
    const kinds: string[] = [];
    const { breaker, judge, say } = asked();
    breaker.on('signal', ({ signal }) => kinds.push(signal.kind));
    say('trip');
    const first = breaker.admit(modelRequest());
    expect(kinds).toEqual(['message']);
    await judge.says(false);
    await first;
    expect(kinds).toEqual(['message', 'model-request']);
    say('trip 0');
    say('trip 0');
    const second = breaker.admit(modelRequest());
    await judge.says(true);
    expect(await second).toMatchObject({ isAdmitted: false });
    expect(kinds.filter((kind) => kind === 'model-request')).toHaveLength(1);
  });

  it('[CNF8] makes the very request wait that it is asked about', async () => {
    const { breaker, judge } = asked();
    const handoff = { kind: 'handoff', at: 0, agent: 'a', to: 'b', text: 'trip' } as const;
    const admission = breaker.admit(handoff);
    expect(await isThere(admission)).toBe(false);
    await judge.says(true);
    expect(await admission).toMatchObject({ isAdmitted: false, trip: { kind: 'custom:said' } });
  });

  it('[CNF8] makes a call wait that a store was asked about meanwhile', async () => {
    const totals = { spent: { nanoUsd: 0, tokens: 0 }, reserved: { nanoUsd: 0, tokens: 0 } };
    let answer = (): void => {};
    const store = {
      reserve: () =>
        new Promise<{ isGranted: true; totals: typeof totals }>((resolve) => {
          answer = () => resolve({ isGranted: true, totals });
        }),
      settle: () => totals,
      totals: () => totals,
    };
    const { breaker, judge, say } = asked({ budget: { maxUsd: 1, store } });
    const call = breaker.admit(modelRequest());
    say('trip');
    answer();
    expect(await isThere(call)).toBe(false);
    await judge.says(true);
    expect(await call).toMatchObject({ isAdmitted: false });
  });

  it('[CNF8] answers at once where nobody is asked', () => {
    const { breaker } = asked();
    expect(breaker.settled()).toBeUndefined();
    expect(breaker.admit(turn('a'))).toMatchObject({ isAdmitted: true });
  });

  it('[CNF9] asks one question at a time, and then about what was sure meanwhile', async () => {
    const detectors = [sayingDetector('custom:one'), sayingDetector('custom:two')];
    const judge = new Judge();
    const breaker = new Breaker({ detectors, confirm: judge.confirm });
    breaker.observe(message('a', 'warn'));
    breaker.observe(message('a', 'trip'));
    breaker.observe(message('a', 'warn'));
    expect(judge.findings).toHaveLength(1);
    const admission = breaker.admit(turn('a'));
    await judge.says(false);
    expect(judge.findings.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
      'custom:one warn',
      'custom:one trip',
    ]);
    expect(await isThere(admission)).toBe(false);
    await judge.says(true);
    expect(await admission).toMatchObject({ isAdmitted: false });
  });

  it('[CNF9] asks about what is sure before what is in doubt', () => {
    const doubtful = sayingDetector('custom:doubt');
    const detectors = [
      { ...doubtful, observe: (step: never) => asDoubt(doubtful.observe(step)) },
      sayingDetector('custom:sure'),
    ];
    const judge = new Judge();
    new Breaker({ detectors, confirm: judge.confirm }).observe(message('a', 'trip'));
    expect(judge.findings.map(({ kind }) => kind)).toEqual(['custom:sure']);
  });

  it.each([
    ['a reset', (breaker: Breaker) => breaker.reset()],
    ['a new run', (breaker: Breaker) => breaker.beginRun()],
    ['a restored snapshot', (breaker: Breaker) => breaker.restore(breaker.snapshot())],
    [
      'a word of a person',
      (breaker: Breaker) =>
        breaker.observe({ kind: 'human-input', at: 0, agent: 'p', text: 'go on' }),
    ],
  ])('[CNF10] gives its question up at %s', async (_what, happen) => {
    const { breaker, judge, say } = asked();
    say('trip');
    const admission = breaker.admit(turn('a'));
    happen(breaker);
    expect(await admission).toMatchObject({ isAdmitted: true });
    await judge.says(true);
    expect(breaker.trip).toBeUndefined();
  });

  it('[CNF10] gives its question up when the circuit opens by itself', async () => {
    const { breaker, judge, say } = asked({ maxMessages: 2 });
    say('trip');
    const admission = breaker.admit(turn('a'));
    say('hello');
    expect(await admission).toMatchObject({ isAdmitted: false, trip: { kind: 'limit' } });
    await judge.says(true);
    expect(breaker.trip?.kind).toBe('limit');
  });

  it('[CNF10] gives its question up when the circuit opens since a probe has failed', async () => {
    const { breaker, judge, say } = asked({ cooldownMs: 0, now: () => 0 });
    say('trip');
    await judge.says(true);
    const probe = await breaker.admit(turn('a'));
    say('trip');
    const other = breaker.admit(turn('b'));
    expect(await isThere(other)).toBe(false);
    if (probe.isAdmitted) probe.permit.done();
    expect(breaker.state.status).toBe('open');
    expect(await isThere(other)).toBe(true);
    expect(breaker.settled()).toBe(breaker.trip);
  });

  it('[CNF10] finds a question given up as over, also when it fails late', async () => {
    const { breaker, judge, say } = asked();
    say('trip');
    breaker.reset();
    await judge.fails(new Error('too late'));
    expect(breaker.trip).toBeUndefined();
  });
});

describe('confirm: when it fails', () => {
  it('[CNF11] trips on what was sure, and says what failed', async () => {
    const { breaker, judge, say, errors } = asked();
    const down = new Error('down');
    say('trip');
    await judge.fails(down);
    expect(breaker.trip?.kind).toBe('custom:said');
    expect(errors).toEqual([['confirm', down]]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('down'))],
    [
      'throws at once',
      () => {
        throw new Error('down');
      },
    ],
    ['forgets to answer', () => undefined as unknown as boolean],
    ['answers in words', () => Promise.resolve('yes' as unknown as boolean)],
  ])('[CNF11] stays quiet on what was in doubt when it %s', async (_how, confirm) => {
    const { breaker, say, errors } = asked({ confirm });
    say('warn');
    await heard();
    expect(breaker.trip).toBeUndefined();
    expect(errors).toEqual([['confirm', expect.any(Error)]]);
    say('trip');
    await heard();
    expect(breaker.trip?.kind).toBe('custom:said');
  });

  it('[CNF11] lets those go on who wait when the clock fails beside the answer', async () => {
    let isBroken = false;
    const now = (): number => {
      if (isBroken) throw new Error('no time');
      return 7;
    };
    const { judge, say, breaker, errors } = asked({ now });
    say('trip');
    const trip = breaker.settled();
    isBroken = true;
    await judge.says(true);
    expect(await trip).toBeUndefined();
    expect(errors).toEqual([['confirm', new Error('no time')]]);
  });

  it('[CNF11] is not asked again at once about what it could not answer', async () => {
    const { judge, say } = asked();
    for (const text of ['one', 'two', 'three', 'warn 0']) say(text);
    await judge.fails(new Error('down'));
    for (let i = 0; i < 3; i++) say('warn 0');
    expect(judge.findings).toHaveLength(1);
    say('warn 0');
    expect(judge.findings).toHaveLength(2);
  });
});

describe('confirm: state and options', () => {
  it('[CNF12] keeps in a snapshot what was cleared, and no question', async () => {
    const { breaker, judge, say } = asked();
    for (const text of ['one', 'two', 'three', 'trip 0']) say(text);
    await judge.says(false);
    const other = asked();
    other.breaker.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    for (let i = 0; i < 3; i++) other.say('trip 0');
    expect(other.judge.findings).toHaveLength(0);
    other.say('trip 0');
    expect(other.judge.findings).toHaveLength(1);
    const third = asked();
    third.breaker.restore(other.breaker.snapshot());
    expect(third.breaker.settled()).toBeUndefined();
  });

  it('[CNF12] takes snapshots up with and without it', async () => {
    const { breaker } = asked();
    const detectors = [sayingDetector()];
    expect(() => new Breaker({ detectors }).restore(breaker.snapshot())).not.toThrow();
    expect(() => breaker.restore(new Breaker({ detectors }).snapshot())).not.toThrow();
  });

  it('[CNF12] refuses a damaged snapshot and goes on as before', async () => {
    const { breaker, judge, say } = asked();
    say('trip');
    const damaged = { ...breaker.snapshot(), cleared: { cleared: [['x']], newAt: [] } };
    expect(() => breaker.restore(damaged)).toThrow('cleared.');
    await judge.says(true);
    expect(breaker.trip?.kind).toBe('custom:said');
  });

  it('[CNF13] refuses what cannot be asked, and a share that is none', () => {
    const confirm = 'yes' as unknown as Confirm;
    expect(() => new Breaker({ confirm })).toThrow("option 'confirm'");
    expect(() => new Breaker({ speakerCycle: { doubtShare: 1.5 } })).toThrow('doubtShare');
    expect(() => new Breaker({ repetition: { doubtShare: -1 } })).toThrow('doubtShare');
  });
});

function asDoubt<T extends object>(finding: T | undefined): (T & { level: 'warn' }) | undefined {
  return finding && { ...finding, level: 'warn' };
}
