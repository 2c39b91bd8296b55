import { describe, expect, it } from 'vitest';
import type { Said, Step } from '../../src/analysis/step.ts';
import { SameResult } from '../../src/detectors/same-result.ts';
import { deed, said, step } from '../support/steps.ts';

const shownBefore = { figures: 3, revisits: [1, 3, 5] };

function shown(message: Partial<Said>, fields: Partial<Step> = {}): Step {
  return step({ said: said(message), idleTurns: 2, ...fields });
}

describe('SameResult', () => {
  it('[REP4] finds a result that is shown once more than the limit', () => {
    const result = new SameResult(3);
    expect(result.observe(shown({ figures: 3, revisits: [1, 3] }))).toBeUndefined();
    expect(result.observe(shown(shownBefore))).toEqual({ count: 4, limit: 4, before: [1, 3, 5] });
  });

  it('[REP4] takes as many as the limit for enough where they are the same word for word', () => {
    const result = new SameResult(3);
    const twice = shown({ figures: 3, revisits: [3] }, { deed: deed({ repeats: 1 }) });
    const thrice = shown({ figures: 3, revisits: [3] }, { deed: deed({ repeats: 2 }) });
    expect(result.observe(twice)).toBeUndefined();
    expect(result.observe(thrice)).toEqual({ count: 3, limit: 3, before: [3] });
  });

  it('[REP4] takes for a result what is long, has facts in it and is no failure', () => {
    const failure = {} as NonNullable<Step['failure']>;
    const others = [
      shown(shownBefore, { tokens: 59 }),
      shown({ ...shownBefore, figures: 2 }),
      shown(shownBefore, { failure }),
    ];
    for (const other of others) expect(new SameResult(3).observe(other)).toBeUndefined();
  });

  it('[REP4] leaves a result alone that is asked for between progress', () => {
    expect(new SameResult(3).observe(shown(shownBefore, { idleTurns: 1 }))).toBeUndefined();
  });

  it('[REP4] finds it there, too, where the same was asked for again', () => {
    const result = new SameResult(3);
    result.observe(shown({ resemblance: 0.6 }));
    expect(result.observe(shown(shownBefore, { idleTurns: 1 }))).toMatchObject({ count: 4 });
  });

  it('[REP14] finds results that begin in the same way only where nothing else is brought', () => {
    const reopened = { figures: 3, reopenings: [1, 3] };
    const once = { figures: 3, reopenings: [3] };
    expect(new SameResult(3).observe(shown(reopened))).toEqual({
      count: 3,
      limit: 3,
      before: [1, 3],
    });
    expect(new SameResult(3).observe(shown(once))).toBeUndefined();
    const result = new SameResult(3);
    result.observe(shown({ resemblance: 0.6 }));
    expect(result.observe(shown(reopened, { idleTurns: 1 }))).toBeUndefined();
  });
});
