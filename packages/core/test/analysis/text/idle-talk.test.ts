import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/analysis/analyzer.ts';
import type { Step } from '../../../src/analysis/step.ts';
import { transcript } from '../../../src/testing/index.ts';

const work = Array.from(
  { length: 6 },
  (_, i) => `A:"Table t${i} is next." B:"Moved ${713 * i + 91} rows of t${i}."`,
).join(' ');
const talk = [
  'A:"Foxes dance over silver meadows." B:"Lanterns drift along quiet harbours."',
  'A:"Gentle clouds whisper forgotten melodies." B:"Copper kettles sing beside warm hearths."',
  'A:"Wandering poets gather chestnut leaves." B:"Velvet curtains frame dusty theatres."',
].join(' ');

/** The steps that `text` comes to, after `before`. */
function steps(text: string, before = ''): readonly Step[] {
  const analyzer = new Analyzer();
  const known = transcript(before).length;
  return transcript(`${before} ${text}`)
    .map((signal) => analyzer.observe(signal))
    .slice(known);
}

function idleTurns(text: string, before?: string): number {
  return steps(text, before).at(-1)?.idleTurns ?? 0;
}

describe('fresh words without facts', () => {
  it('[ANL6] are more idle where facts were the rule than where they never were', () => {
    expect(idleTurns(talk, work)).toBeGreaterThan(1.2 * idleTurns(talk, talk.toUpperCase()));
  });

  it('[ANL6] never count as fully idle in talk without facts', () => {
    expect(idleTurns(talk)).toBeLessThan(3);
  });

  it('[ANL7] are more idle as answers to a line that comes again word for word', () => {
    const answer =
      'B:"Perhaps the heron crossed another valley before sunrise touched those hills."';
    const asked = (line: string): number =>
      steps(`A:"Please carry on with it." B:Gladly. A:"${line}" ${answer}`, work).at(-1)
        ?.idleness ?? 0;
    expect(asked('Please carry on with it.')).toBeGreaterThan(asked('Bring blue paper now.'));
  });
});

describe('figures in an unchanged text', () => {
  const said = (numbers: readonly number[]): string =>
    numbers.map((number) => `A:"The pressure in the main tank reads ${number} bar."`).join(' ');

  it('[ANL4] are progress while they move unevenly', () => {
    for (const step of steps(said([19, 26, 21, 47]))) expect(step.idleness).toBe(0);
  });

  it.each([
    ['a counter', [1, 2, 3, 4]],
    ['ids', [80_412, 91_377, 13_904, 55_218]],
  ])('[ANL4] say nothing as %s', (_, numbers) => {
    for (const step of steps(said(numbers)).slice(1)) expect(step.isProgress).toBe(false);
  });
});
