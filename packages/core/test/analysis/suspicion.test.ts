import { describe, expect, it } from 'vitest';
import { lastStep, stepsOf } from '../support/steps.ts';

const hm = 'A:"I am thinking about it now." B:"Take all the time you need." ';

describe('suspicion', () => {
  it('[SUS1] adds up what is stale', () => {
    const scores = stepsOf(hm.repeat(4)).map(({ suspicion }) => suspicion.score);
    expect(scores.slice(2)).toEqual([...scores.slice(2)].sort((a, b) => a - b));
    expect(scores.at(-1)).toBeGreaterThan(4);
  });

  it('[SUS2] sinks with what is partly new, and is 0 once all that matters is new', () => {
    const before = lastStep(hm.repeat(4)).suspicion.score;
    const partly = lastStep(`${hm.repeat(4)} A:"I am thinking about gardens, rivers, towers."`);
    expect(partly.suspicion.score).toBeLessThan(before + 0.5);
    expect(lastStep(`${hm.repeat(4)} A:"It is row 4711."`).suspicion.score).toBe(0);
  });

  it('[SUS3] is 0 once a person has spoken, and after a long wait', () => {
    expect(lastStep(`${hm.repeat(4)} P?"Go on, please."`).suspicion.score).toBe(0);
    expect(lastStep(`${hm.repeat(4)} +3600000 A:hm`).suspicion.score).toBeLessThan(1);
  });

  it.each([
    ['speaker-cycle', hm.repeat(4)],
    ['repetition', 'A:"I am thinking about it now." '.repeat(6)],
    ['execution-storm', 'A!exit1(test):"KeyError: no total" '.repeat(6)],
    [
      'history-drift',
      `${hm.repeat(3)}${`A:${JSON.stringify('I am thinking about it now. '.repeat(9))} B:${JSON.stringify('Take all the time you need. '.repeat(9))} `.repeat(4)}`,
    ],
  ])('[SUS4] is named %s after its largest share', (kind, text) => {
    expect(lastStep(text).suspicion.kind).toBe(kind);
  });

  it('[SUS5] says since when and by whom', () => {
    const { suspicion } = lastStep(`C:"Row 4711 is gone." ${hm.repeat(3)}`);
    expect(suspicion.since).toBe(1);
    expect(suspicion.agents).toEqual(['A', 'B']);
  });

  it('[SUS6] counts what nearly comes for the third time as more than stale', () => {
    const asks = [
      'Please open the page of the harbour office again.',
      'Please open the page of the harbour office once more.',
      'Please open the page of that harbour office again.',
    ];
    const [, second, third] = stepsOf(asks.map((ask) => `A:"${ask}"`).join(' '));
    const gain = (third?.suspicion.score ?? 0) - (second?.suspicion.score ?? 0);
    expect(gain).toBeGreaterThan(third?.staleness ?? 1);
  });
});
