import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/analysis/analyzer.ts';
import { Breaker } from '../../../src/breaker/breaker.ts';
import { transcript } from '../../../src/testing/index.ts';
import { words } from '../../support/words.ts';

const sentences = [
  'The lighthouse keeper wakes before dawn and trims the lamp.',
  'A storm has torn shingles from the boathouse roof.',
  'His daughter sketches gulls on scraps of sailcloth.',
  'Letters from the mainland arrive soaked and smelling of kerosene.',
  'They bury an old anchor beneath the rhubarb as a private joke.',
  'Fishermen bargain over mackerel beside the crooked jetty.',
  'At night the foghorn keeps a rhythm nobody else would call music.',
  'Winter seals the causeway under crusted slush.',
];
const praise = 'What a nice text this has become, really a very nice text.';

/** What the team says: a text that grows by one more of `parts` each time, and a word of praise in between. */
function growing(parts: readonly string[]): string {
  const drafts = parts.map((_, i) => parts.slice(0, i + 1).join(' '));
  return drafts.map((draft) => `Writer:"${draft}" Editor:"${praise}"`).join(' ');
}

function lastIdlenessOfWriter(parts: readonly string[]): number | undefined {
  const analyzer = new Analyzer();
  return transcript(growing(parts))
    .map((signal) => analyzer.observe(signal))
    .findLast(({ signal }) => signal.agent === 'Writer')?.idleness;
}

describe('a text that is shown again with something added', () => {
  it('[ANL8] is progress while what is added is new', () => {
    expect(lastIdlenessOfWriter(sentences)).toBeLessThan(0.4);
  });

  it('[ANL8] is idle where what is added was there before', () => {
    const [first = '', second = ''] = sentences;
    expect(lastIdlenessOfWriter([first, second, second, second])).toBeGreaterThan(0.6);
  });

  it('[ANL8] judges as a whole what is too long to be compared', () => {
    const known = words(300, 250);
    const talk = `A:"${words(250)}" B:"${known}" A:"${words(250)} ${words(3, 900)} ${known}"`;
    const analyzer = new Analyzer();
    const steps = transcript(talk).map((signal) => analyzer.observe(signal));
    expect(steps.at(-1)?.idleness).toBeGreaterThan(0.9);
  });

  it('[ANL8] lets a story be written sentence by sentence', () => {
    const breaker = new Breaker();
    for (const signal of transcript(growing(sentences).replaceAll(praise, 'Go on, please.'))) {
      breaker.observe(signal);
    }
    expect(breaker.trip).toBeUndefined();
  });
});
