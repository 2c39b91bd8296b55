import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/analysis/step.ts';
import { Replay } from '../../src/detectors/replay.ts';
import { message } from '../support/signals.ts';
import { deed, said, step } from '../support/steps.ts';

/** A long message by `agent` that says for the third time what it said before, but for `fields`. */
function again(agent: string, index: number, fields: Partial<Step> = {}): Step {
  return step({
    signal: message(agent, 'long'),
    index,
    said: said({ recurrences: 2 }),
    ...fields,
  });
}

/** At which of these steps, all by one letter each, a round is found again. */
function replayed(agents: string, at: Readonly<Record<number, Partial<Step>>> = {}): number[] {
  const replay = new Replay(3);
  return [...agents].flatMap((agent, i) => (replay.observe(again(agent, i, at[i])) ? [i] : []));
}

describe('Replay', () => {
  it('[SPK5] finds one turn more than the limit, by three agents', () => {
    expect(replayed('abc')).toEqual([]);
    expect(replayed('abca')).toEqual([3]);
  });

  it('[SPK5] leaves it to the idle turns of two', () => {
    expect(replayed('abababab')).toEqual([]);
  });

  it('[SPK5] takes one turn back for progress', () => {
    const news = { idleness: 0, said: said() };
    expect(replayed('abcda', { 3: news })).toEqual([]);
    expect(replayed('abcdab', { 3: news })).toEqual([5]);
  });

  it('[SPK5] begins afresh with a long message that says something else', () => {
    expect(replayed('abcdabc', { 3: { said: said({ recurrences: 1 }) } })).toEqual([]);
  });

  it('[SPK5] does not count short messages, or one that a log tells twice', () => {
    expect(replayed('abcd', { 3: { said: said() } })).toEqual([]);
    expect(replayed('abcc', { 3: { deed: deed({ repeats: 1 }) } })).toEqual([]);
    expect(replayed('abcc')).toEqual([3]);
  });
});
