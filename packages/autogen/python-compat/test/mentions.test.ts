import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countMentions } from '../src/index.ts';

describe('countMentions', () => {
  it.each<[string, string, number]>([
    ['agent1', 'agent1', 1],
    ["agent1's turn, then agent1 again", 'agent1', 2],
    ['(agent10) or **agent1**', 'agent1', 1],
    ['the web surfer', 'web_surfer', 1],
    ['web\\_surfer', 'web_surfer', 1],
    ['Agent1, agent12, xagent1, agent1_', 'agent1', 0],
    ['die Größe, größer', 'größe', 0],
    ['größe', 'größe', 1],
  ])('[PYC8] in %j finds %s %i times', (text, name, count) => {
    expect(countMentions(text, name)).toBe(count);
  });

  it('[PYC8] finds any name between spaces', () => {
    const name = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => text.trim() === text);
    fc.assert(
      fc.property(name, (text) => countMentions(`so ${text} it is`, text) > 0),
      { numRuns: 200 },
    );
  });
});
