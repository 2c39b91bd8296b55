import { describe, expect, it } from 'vitest';
import type { Detector } from '../../src/detectors.ts';
import { Breaker, type BreakerOptions } from '../../src/index.ts';
import type { Reaction, ReactionOptions } from '../../src/kit.ts';
import { sayingDetector } from '../support/judge.ts';
import { message, modelRequest, usage } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

describe('reaction', () => {
  it('[BRK17] refuses a kind that does not exist, and names those that do', () => {
    const reaction = { 'speaker-cycel': 'warn' } as ReactionOptions;
    expect(() => new Breaker({ reaction })).toThrow(
      "option 'reaction.speaker-cycel': expected a known kind (did you mean 'speaker-cycle'?), received \"warn\"",
    );
  });

  it('[BRK17] takes every kind, and any of a user’s own', () => {
    const reaction: ReactionOptions = { rate: 'observe', manual: 'stop', 'custom:mood': 'warn' };
    expect(() => new Breaker({ reaction })).not.toThrow();
  });

  it.each([
    [{ limit: 'panic' }, '"panic"'],
    ['panic', '"panic"'],
    [null, 'null'],
    [7, '7'],
  ])(
    '[BRK17] refuses a reaction that does not exist, and names those that do: %j',
    (reaction, shown) => {
      expect(() => new Breaker({ reaction: reaction as ReactionOptions })).toThrow(
        `option 'reaction': expected observe, warn, ladder, stop, received ${shown}`,
      );
    },
  );

  it('[BRK17] refuses a second detector of a kind, and names the kind', () => {
    const detectors = [() => sayingDetector(), () => sayingDetector()];
    expect(() => new Breaker({ detectors })).toThrow(
      'option \'detectors\': expected at most one detector per kind, received "custom:said"',
    );
  });

  it.each([-1, 0.5, 900_001])('[BRK17] refuses a cool-down of %d ms', (cooldownMs) => {
    expect(() => new Breaker({ cooldownMs })).toThrow("option 'cooldownMs'");
  });

  it('[BRK17] takes a cool-down of up to 15 minutes', () => {
    expect(() => new Breaker({ cooldownMs: 900_000 })).not.toThrow();
  });

  it('[BRK9] stops for a kind that is not named, and only observes the one that is', () => {
    const reaction: ReactionOptions = { limit: 'observe' };
    const breaker = new Breaker({
      reaction,
      detectors: [() => sayingDetector()],
      maxMessages: 1,
    });
    expect(breaker.observe(message('a', 'one'))).toBeUndefined();
    expect(breaker.observe(message('a', 'trip'))?.kind).toBe('custom:said');
  });

  it('[BRK9] emits findings of what was declared, which are worth stopping for', () => {
    const now = (): number => 9;
    const options = { maxMessages: 1, maxRunMs: 5, budget: { maxTokens: 1 }, now };
    const breaker = new Breaker({
      ...options,
      contextWindow: { maxContextTokens: 1 },
      reaction: 'observe',
    });
    const seen: string[] = [];
    breaker.on('finding', ({ finding: { kind, level } }) => seen.push(`${kind} ${level}`));
    breaker.observe(message('a', 'one'));
    breaker.admit(modelRequest({ inputTokens: 2 }));
    breaker.conversation('').checkRunTime();
    expect(seen).toEqual(['limit trip', 'context-window trip', 'budget trip', 'limit trip']);
  });

  it('[BRK9] gives no warning of what is only observed, be it no more than a warning', () => {
    const observe: Detector['observe'] = (step) => {
      const found = sayingDetector().observe(step);
      return found && { ...found, level: 'warn' };
    };
    const breaker = new Breaker({
      detectors: [() => ({ ...sayingDetector(), observe })],
      reaction: 'observe',
    });
    const warnings = warningsOf(breaker);
    breaker.observe(message('a', 'trip'));
    expect(warnings).toHaveLength(0);
  });

  it('[BRK9] stays as it was declared', () => {
    const reaction: Record<string, Reaction> = { limit: 'observe' };
    const breaker = new Breaker({ reaction, maxMessages: 1 });
    reaction.limit = 'stop';
    expect(breaker.observe(message('a', 'one'))).toBeUndefined();
  });

  it.each<[BreakerOptions, string]>([
    [{ maxMessages: 1 }, 'stopped'],
    [{ budget: { maxTokens: 1 } }, 'stopped'],
    [{ detectors: [() => sayingDetector()] }, 'open'],
    [{ contextWindow: { maxContextTokens: 1 } }, 'open'],
  ])('[BUD8] opens the circuit for good where waiting does not cure: %o', (options, status) => {
    const breaker = new Breaker(options);
    breaker.observe(message('a', 'trip'));
    breaker.observe(usage());
    breaker.admit(modelRequest({ inputTokens: 2 }));
    expect(breaker.conversation().state.status).toBe(status);
  });
});
