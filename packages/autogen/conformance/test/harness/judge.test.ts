import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/harness/json.ts';
import { judge } from '../../src/harness/judge.ts';
import { type KnownDifference, vectorDigest } from '../../src/harness/known-difference.ts';
import type { CaseResult } from '../../src/harness/report.ts';
import { type ToyVector, toy } from '../support/toy-library.ts';

const vector: ToyVector = { id: 'one', gives: null, expect: { text: 'a', count: 1 } };
const known: KnownDifference = {
  id: 'one',
  vector: vectorDigest(vector),
  rules: ['case'],
  differences: [{ path: '.text', expected: 'a', got: 'A' }],
};

function judged(got: Json, changes: Partial<ToyVector> = {}, record = true): CaseResult {
  const loaded = { id: 'one', vector: { ...vector, ...changes } };
  return judge(toy, loaded, got, record ? known : undefined);
}

describe('a result', () => {
  test('[CONF7] passes if it equals the recorded one', () => {
    expect(judged({ count: 1, text: 'a' }, {}, false).outcome).toBe('passed');
  });

  test('[CONF7] deviates if it differs exactly as known', () => {
    expect(judged({ text: 'A', count: 1 })).toMatchObject({ outcome: 'deviating', rule: 'case' });
  });

  test('[CONF7] fails if it differs as a rule allows but as nothing has recorded', () => {
    const { outcome, reasons } = judged({ text: 'A', count: 1 }, {}, false);
    expect(outcome).toBe('failed');
    expect(reasons).toEqual(['.text: expected "a", got "A"']);
  });

  test('[CONF7] fails if it differs in another value, or in another place besides', () => {
    expect(judged({ text: 'B', count: 1 }).outcome).toBe('failed');
    expect(judged({ text: 'A', count: 2 }).outcome).toBe('failed');
  });

  test('[CONF8] fails if the recorded side of the difference was changed', () => {
    const { outcome, reasons } = judged(
      { text: 'A', count: 1 },
      { expect: { text: 'b', count: 1 } },
    );
    expect(outcome).toBe('failed');
    expect(reasons).toContain('the case is not the one that was recorded');
  });

  test('[CONF8] fails if the input of the case was changed', () => {
    expect(judged({ text: 'A', count: 1 }, { gives: 'other' }).outcome).toBe('failed');
  });

  test('[CONF9] fails if it no longer differs', () => {
    const { outcome, reasons } = judged({ text: 'a', count: 1 });
    expect(outcome).toBe('failed');
    expect(reasons).toEqual(['no longer as recorded: .text: expected "a", got "A"']);
  });
});
