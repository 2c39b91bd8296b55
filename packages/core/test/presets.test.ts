import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, PRESETS, type Signal, type Trip } from '../src/index.ts';
import { message, turn, usage } from './support/signals.ts';

/** What a breaker with the preset stops for, and with which signal. */
function stop(signals: readonly Signal[], options: BreakerOptions = {}): [number, Trip] {
  const breaker = new Breaker({ ...PRESETS.classic, ...options });
  for (const [i, signal] of signals.entries()) {
    const trip = breaker.observe(signal);
    if (trip) return [i + 1, trip];
  }
  throw new Error('nothing was stopped');
}

const failing = (i: number, errors: string): Signal => ({
  kind: 'tool-call',
  at: i * 10_000,
  agent: 'coder',
  tool: 'build',
  args: { i },
  error: { message: errors },
});

describe('the classic preset', () => {
  it('[BRK40] has the values that circuit breakers for teams are usually described with', () => {
    expect(PRESETS.classic).toEqual({
      budget: { maxUsd: 5 },
      speakerCycle: { limit: 3 },
      executionStorm: { limit: 5 },
      nestedCascade: { limit: 2 },
      maxMessages: 60,
      historyDrift: { ratio: 3 },
      cooldownMs: 60_000,
    });
  });

  it('[BRK40] stops at more than 5 dollars', () => {
    const bill = [usage({ costUsd: 3 }), usage({ costUsd: 2 }), usage({ costUsd: 0.01 })];
    expect(stop(bill)).toMatchObject([3, { kind: 'budget' }]);
  });

  it('[BRK40] stops the third round of speakers without news', () => {
    const rounds = transcript('a:"I raise it." b:"I lower it." '.repeat(9));
    expect(stop(rounds)).toMatchObject([6, { kind: 'speaker-cycle', evidence: { limit: 3 } }]);
  });

  it('[BRK40] stops five failures in a row', () => {
    const errors = Array.from({ length: 9 }, (_, i) => failing(i, 'KeyError: total'));
    expect(stop(errors)).toMatchObject([5, { kind: 'execution-storm', evidence: { limit: 5 } }]);
  });

  it('[BRK40] stops at the 60th message', () => {
    const all = Array.from({ length: 70 }, (_, i) =>
      message(`a${i % 7}`, `Row ${i * 31} in t${i}.`),
    );
    expect(stop(all)).toMatchObject([60, { kind: 'limit', evidence: { limit: 60 } }]);
  });

  it('[BRK40] stops a history that is three times as long', () => {
    const mails: Signal[] = [];
    let text = 'Which room is free?';
    for (let i = 0; i < 8; i++) {
      mails.push(message('ab'.charAt(i % 2), text));
      text = `Room ${i} is taken.\n${text.replace(/^/gm, '> ')}`;
    }
    expect(stop(mails)[1]).toMatchObject({ kind: 'history-drift', evidence: { limit: 3 } });
  });

  it('[BRK40] lets a probe through after 60 seconds', () => {
    const clock = { now: 0 };
    const breaker = new Breaker({ ...PRESETS.classic, now: () => clock.now });
    const same = (i: number): Signal => failing(i, 'KeyError: total');
    for (let i = 0; i < 5; i++) breaker.observe(same(i));
    clock.now = 40_000 + 59_999;
    expect(breaker.admit(turn('coder', clock.now))).toMatchObject({ isAdmitted: false });
    clock.now++;
    expect(breaker.admit(turn('coder', clock.now))).toMatchObject({ isAdmitted: true });
  });
});

describe('a limit among the options of a detector', () => {
  const errors = ['a', 'b', 'c', 'd', 'e'].map((q, i) => ({
    ...failing(i, 'KeyError: total'),
    args: { q },
  })) as Signal[];
  const basis = (options: BreakerOptions): string | undefined => {
    const breaker = new Breaker({ rate: false, ...options });
    let trip: Trip | undefined;
    for (const signal of errors) trip ??= breaker.observe(signal);
    return trip && `${trip.kind} ${trip.basis}`;
  };

  it('[LIM14] is declared, and makes nothing else declared', () => {
    expect(basis({ executionStorm: { maxInARow: 4 } })).toBe('limit declared');
    expect(basis({ executionStorm: { maxInARow: 9 } })).toBe('execution-storm certain');
    expect(basis({ executionStorm: { limit: 4 } })).toBe('execution-storm declared');
  });
});
