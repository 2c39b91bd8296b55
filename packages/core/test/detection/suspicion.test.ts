import { describe, expect, it } from 'vitest';
import { staleText } from '../support/stale.ts';
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

  it('[SUS2] sinks in no step that is stale from 0.75 on, however long it goes on', () => {
    const scores = [9, 18, 27].map(
      (steps) =>
        lastStep(Array.from({ length: steps }, (_, i) => `A:"${staleText(i)}"`).join(' ')).suspicion
          .score,
    );
    expect(scores[1]).toBeGreaterThan((scores[0] as number) + 6);
    expect(scores[2]).toBeGreaterThan((scores[1] as number) + 6);
  });

  it('[SUS3] is 0 once a person has spoken, and after a long wait', () => {
    expect(lastStep(`${hm.repeat(4)} P?"Go on, please."`).suspicion.score).toBe(0);
    expect(lastStep(`${hm.repeat(4)} +3600000 A:hm`).suspicion.score).toBeLessThan(1);
  });

  it.each([
    ['speaker-cycle', hm.repeat(4)],
    ['repetition', 'A:"I am thinking about it now." '.repeat(6)],
    ['execution-storm', 'A!exit1(test):"KeyError: no total" '.repeat(6)],
  ])('[SUS4] is named %s after its largest share', (kind, text) => {
    expect(lastStep(text).suspicion.kind).toBe(kind);
  });

  it('[SUS5] says since when and by whom', () => {
    const { suspicion } = lastStep(`C:"Row 4711 is gone." ${hm.repeat(3)}`);
    expect(suspicion.since).toBe(1);
    expect(suspicion.agents).toEqual(['A', 'B']);
  });

  it('[SUS6] says which step was the last in which all that matters was new', () => {
    expect(lastStep(hm.repeat(3)).suspicion.newsAt).toBe(-1);
    expect(lastStep(`C:"Row 4711 is gone." ${hm.repeat(3)}`).suspicion.newsAt).toBe(0);
  });
});
