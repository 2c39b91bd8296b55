import { describe, expect, test } from 'vitest';
import { mentionedAgents } from '../../src/groups/mentions.ts';
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
});
