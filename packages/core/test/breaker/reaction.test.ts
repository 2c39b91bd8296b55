import { describe, expect, it } from 'vitest';
import { Breaker, type ReactionOptions } from '../../src/index.ts';

describe('reaction', () => {
  it('[BRK17] refuses a kind that does not exist, and names those that do', () => {
    const reaction = { 'speaker-cycel': 'warn' } as ReactionOptions;
    expect(() => new Breaker({ reaction })).toThrow(
      'option \'reaction\': expected kinds among speaker-cycle, repetition, execution-storm, history-drift, nested-cascade, budget, context-window, rate, limit, manual and custom:…, received "speaker-cycel"',
    );
  });

  it('[BRK17] takes every kind, and any of a user’s own', () => {
    const reaction: ReactionOptions = { rate: 'observe', manual: 'stop', 'custom:mood': 'warn' };
    expect(() => new Breaker({ reaction })).not.toThrow();
  });
});
