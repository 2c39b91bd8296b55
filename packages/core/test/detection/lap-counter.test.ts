import { describe, expect, it } from 'vitest';
import { type AskHash, NOTHING_ASKED, type StepKey } from '../../src/detection/hashes.ts';
import { MEMORY, PATIENCE_MS, WAIT_FACTOR } from '../../src/detection/judgement.ts';
import type { Entry } from '../../src/detection/steps/lap-step.ts';
import { LapCounter } from '../../src/detection/steps/laps.ts';

const HALF_AN_HOUR = 1_800_000;
const CALL = 1 as AskHash;
const OTHER = 2 as AskHash;
const RESULT = 11 as StepKey;
const REMARK = 12 as StepKey;
const OTHER_RESULT = 22 as StepKey;

/** A call of the same tool with the same result, unless it is changed. */
function step(at: number, change: Partial<Entry> = {}): Entry {
  return {
    index: 0,
    at,
    freeAt: at,
    agent: 'clerk',
    tool: 'search',
    ask: CALL,
    key: RESULT,
    isAct: true,
    isMessage: false,
    isReply: false,
    isRemark: false,
    isPatient: false,
    isBackingOff: false,
    tookMs: 0,
    isUnanswered: false,
    isTiny: false,
    isOld: false,
    ...change,
  };
}

function counterOf(steps: readonly Entry[], patienceMs = HALF_AN_HOUR): LapCounter {
  const counter = new LapCounter({ forgetAfterMs: HALF_AN_HOUR, patienceMs }, (tool) => tool);
  for (const one of steps) counter.take(one);
  return counter;
}

function lapsForeseen(counter: LapCounter, at: number, isBackingOff = false): number | undefined {
  return counter.foresee(CALL, { index: 9, at, freeAt: at, isBackingOff })?.laps;
}

describe('the laps that a call would complete', () => {
  it('[BRK32] are one more than there are, and after a wait as many', () => {
    for (const calls of [2, 3]) {
      const counter = counterOf(Array.from({ length: calls }, (_, at) => step(at)));
      const last = calls - 1;
      expect(lapsForeseen(counter, last + PATIENCE_MS - 1)).toBe(calls + 1);
      expect(lapsForeseen(counter, last + PATIENCE_MS)).toBe(calls);
    }
  });

  it('[BRK32] wait once for each call since the same one, whatever was said', () => {
    const remark = {
      ask: NOTHING_ASKED,
      key: REMARK,
      isAct: false,
      isMessage: true,
      isRemark: true,
    };
    const said = counterOf([step(0), step(1, remark), step(2), step(3, remark)]);
    expect(lapsForeseen(said, 2 + PATIENCE_MS)).toBe(2);
    const other = { ask: OTHER, key: OTHER_RESULT };
    const called = counterOf([step(0), step(1, other), step(2), step(3, other)]);
    expect(lapsForeseen(called, 4)).toBe(2);
    expect(lapsForeseen(counterOf([step(0), step(1), step(2), step(3, other)]), 4)).toBeUndefined();
  });

  it('[BRK32] are none for a call that nobody made, and none while it backs off', () => {
    const counter = counterOf([step(0), step(1)]);
    expect(
      counter.foresee(OTHER, { index: 9, at: 2, freeAt: 2, isBackingOff: false }),
    ).toBeUndefined();
    expect(lapsForeseen(counter, 2, true)).toBeUndefined();
    const declared = { key: CALL };
    expect(lapsForeseen(counterOf([step(0, declared), step(1, declared)]), 2, true)).toBe(3);
  });

  it('[BRK32] are at most as many as are remembered', () => {
    const counter = counterOf(Array.from({ length: MEMORY }, (_, at) => step(at)));
    expect(lapsForeseen(counter, MEMORY)).toBe(MEMORY);
  });
});

describe('a team that polls', () => {
  const poll = (at: number, change: Partial<Entry> = {}): Entry =>
    step(at, { isPatient: true, ...change });

  it('[LAP7] waits until a time, and no longer', () => {
    const counter = counterOf([poll(0), poll(20_000), poll(40_000)]);
    const until = 40_000 + WAIT_FACTOR * 20_000;
    expect([until, until + 1].map((at) => counter.isWaitingAt(at))).toEqual([true, false]);
  });

  it('[LAP7] has waited too long after so many calls, whatever it said', () => {
    const remark = {
      ask: NOTHING_ASKED,
      key: REMARK,
      isAct: false,
      isMessage: true,
      isRemark: false,
    };
    const counter = counterOf([poll(0), poll(10, remark)], PATIENCE_MS);
    const laps = Array.from({ length: 3 * MEMORY }, (_, i) => {
      const at = (i + 1) * 20_000;
      counter.take(poll(at - 10, remark));
      return counter.take(poll(at));
    });
    // A lap is a remark and a call.
    expect(laps.findIndex((found) => found !== undefined) + 1).toBe(2 * MEMORY);
  });
});

describe('the last new step of laps', () => {
  it('[LAP11] is none that its agent remarks beside its calls', () => {
    const counter = counterOf([step(0, { index: 7 })]);
    const remark = { isAct: false, isMessage: true, isRemark: true };
    counter.take(step(1, { ...remark, index: 8, key: REMARK }));
    expect(counter.take(step(2, { index: 9 }))?.newsAt).toBe(7);
  });
});

describe('the laps of a snapshot', () => {
  it.each([
    ['entries', { entries: 1, since: {} }],
    ['since', { entries: [], since: 1 }],
  ])('[SNP5] are refused by the name of %s', (name, json) => {
    expect(() => counterOf([]).restore('steps.laps', json)).toThrow(`steps.laps.${name}`);
  });
});
