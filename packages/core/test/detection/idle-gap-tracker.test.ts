import { describe, expect, it } from 'vitest';
import { IdleGapTracker } from '../../src/detection/suspicion/idle-gap-tracker.ts';
import { InvalidSnapshotError, type Signal } from '../../src/index.ts';
import { message, usage } from '../support/signals.ts';

const MIN_WAIT_MS = 15_000;
const LONG_WAIT_MS = 600_000;

function call(at: number, durationMs?: number): Signal {
  const took = durationMs === undefined ? {} : { durationMs };
  return { kind: 'tool-call', at, agent: 'a', tool: 't', args: {}, result: null, ...took };
}

/** A tracker that has seen steps with these gaps in between. */
function after(gapsMs: readonly number[], minWaitMs = MIN_WAIT_MS) {
  const tracker = new IdleGapTracker(minWaitMs);
  let at = 0;
  tracker.step(call(at));
  for (const gapMs of gapsMs) {
    at += gapMs;
    tracker.step(call(at));
  }
  return { tracker, at };
}

/** Whether a call is a wait that comes so much later. */
function isWait(gapMs: number, gapsMs: readonly number[], minWaitMs?: number): boolean {
  const { tracker, at } = after(gapsMs, minWaitMs);
  return tracker.step(call(at + gapMs)) !== 'no';
}

describe('IdleGapTracker', () => {
  it('[ANL17] takes no first step for a wait, however late it comes', () => {
    expect(new IdleGapTracker(0).step(call(1e12))).toBe('no');
  });

  it('[ANL17] takes a gap before a call for a wait from the declared length on', () => {
    expect(isWait(MIN_WAIT_MS - 1, [])).toBe(false);
    expect(isWait(MIN_WAIT_MS, [])).toBe(true);
  });

  it('[ANL17] takes only ten minutes before any other step for a wait', () => {
    const runAt = (at: number): Signal => {
      const run = { language: 'sh', code: 'ls', exitCode: 0, output: '' };
      return { kind: 'execution', at, agent: 'a', ...run };
    };
    const messageAt = (at: number): Signal => message('a', 'x', at);
    for (const stepAt of [messageAt, runAt]) {
      expect(after([]).tracker.step(stepAt(LONG_WAIT_MS - 1))).toBe('no');
      expect(after([]).tracker.step(stepAt(LONG_WAIT_MS))).toBe('long');
    }
  });

  it('[ANL17] tells a wait of less than ten minutes from a long one', () => {
    expect(after([]).tracker.step(call(LONG_WAIT_MS - 1))).toBe('wait');
    expect(after([]).tracker.step(call(LONG_WAIT_MS))).toBe('long');
  });

  it.each([
    [[5000], 20_000],
    [[5000, 10_000, 6000], 24_000],
    [[5000, 9000], 36_000],
    [Array(5).fill(1000).concat(Array(4).fill(10_000)), 15_000],
    [Array(4).fill(1000).concat(Array(5).fill(10_000)), 40_000],
    [Array(9).fill(10_000).concat(Array(5).fill(1000)), 15_000],
  ])('[ANL17] takes four times the median of the latest nine gaps for a wait: %j', (gaps, from) => {
    expect(isWait(from - 1, gaps)).toBe(false);
    expect(isWait(from, gaps)).toBe(true);
  });

  it('[ANL17] does not get used to waits', () => {
    expect(isWait(MIN_WAIT_MS, Array(9).fill(MIN_WAIT_MS))).toBe(true);
  });

  it('[ANL17] leaves the time out that the call itself took', () => {
    expect(after([]).tracker.step(call(50_000, 35_001))).toBe('no');
    expect(after([]).tracker.step(call(50_000, 35_000))).toBe('wait');
  });

  it('[ANL17] leaves the time out that model calls took, from the first request to its answer', () => {
    const busy = (): IdleGapTracker => {
      const { tracker } = after([]);
      tracker.request(1000);
      tracker.request(4000);
      tracker.answer(usage({ at: 6000 }));
      tracker.answer(usage({ at: 9000 }));
      tracker.request(10_000);
      tracker.answer(usage({ at: 12_000 }));
      return tracker;
    };
    expect(busy().step(call(MIN_WAIT_MS + 6999))).toBe('no');
    expect(busy().step(call(MIN_WAIT_MS + 7000))).toBe('wait');
    expect(busy().step(call(MIN_WAIT_MS + 7000, 7001))).toBe('no');
    expect(busy().step(call(MIN_WAIT_MS + 7000, 6999))).toBe('wait');
  });

  it('[ANL17] leaves out no time of a model call before the latest step, or of one that ended before it began', () => {
    const { tracker } = after([]);
    tracker.request(0);
    tracker.answer(usage({ at: 9000 }));
    tracker.step(call(9000));
    tracker.request(20_000);
    tracker.answer(usage({ at: 11_000 }));
    expect(tracker.step(call(9000 + MIN_WAIT_MS))).toBe('wait');
  });

  it('[ANL17] starts anew when it is cleared', () => {
    const { tracker, at } = after([9000, 9000, 9000]);
    tracker.request(at);
    tracker.clear();
    tracker.answer(usage({ at: at + 9000 }));
    expect(tracker.step(call(at + 1e9))).toBe('no');
    expect(tracker.step(call(at + 1e9 + MIN_WAIT_MS))).toBe('wait');
  });

  it('[DET6] goes on from a snapshot, which it does not change', () => {
    const { tracker, at } = after(Array(20).fill(9000));
    tracker.request(at);
    const snapshot = JSON.parse(JSON.stringify(tracker.snapshot()));
    const copy = structuredClone(snapshot);
    const other = new IdleGapTracker(MIN_WAIT_MS);
    other.restore('pace', snapshot);
    for (const one of [tracker, other]) {
      one.answer(usage({ at: at + 4000 }));
      expect(one.step(call(at + 39_999))).toBe('no');
      expect(one.step(call(at + 39_999 + 36_000))).toBe('wait');
    }
    expect(other.snapshot()).toEqual(tracker.snapshot());
    expect(snapshot).toEqual(copy);
  });

  it('[SNP5] refuses a snapshot with more gaps than it keeps', () => {
    const snapshot = { lastAt: 0, requestedAt: null, busyMs: 0, gapsMs: Array(10).fill(1) };
    expect(() => new IdleGapTracker(0).restore('pace', snapshot)).toThrow(InvalidSnapshotError);
  });
});
