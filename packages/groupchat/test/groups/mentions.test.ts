import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mentionedAgents } from '../../src/groups/mentions.ts';
import { pythonNameList } from '../../src/text/python-text.ts';
import { speaker } from '../cast.ts';

describe('mentions', () => {
  const agents = [speaker('Bob'), speaker('x_y')];

  test.each<[string, Record<string, number>]>([
    ["Bob's", { Bob: 1 }],
    ['*Bob*', { Bob: 1 }],
    ['Bob,Bob', { Bob: 2 }],
    ['Bob Bob', { Bob: 2 }],
    ['BobBob', {}],
    ['éBob', {}],
    ['Bob_', {}],
    ['x y', { x_y: 1 }],
    ['x\\_y', { x_y: 1 }],
    ['X_y', {}],
  ])('[SPC5] %s', (text, expected) => {
    expect(Object.fromEntries(mentionedAgents(text, agents))).toEqual(expected);
  });

  test('[SPC5] any name is found between spaces', () => {
    const name = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => text.trim() === text);
    fc.assert(
      fc.property(name, (text) => {
        const found = mentionedAgents(`so ${text} it is`, [speaker(text)]);
        expect(found.get(text)).toBeGreaterThan(0);
      }),
    );
  });

  test('[SPC5] names are listed as models of Python know them', () => {
    expect(pythonNameList(['A', "O'N", `b"o'b`])).toBe(`['A', "O'N", 'b"o\\'b']`);
  });
});
