import { describe, expect, it } from 'vitest';
import { BREAKER_OPTIONS } from '../../packages/core/src/breaker/breaker-options.ts';
import {
  callables,
  fed,
  feedHostileValues,
  fullName,
  pathsFrom,
  rowOf,
} from './feed-hostile-values.ts';
import { FITTING, OWN_FUNCTIONS } from './fitting-arguments.ts';
import { EXEMPT } from './not-for-strangers.ts';

feedHostileValues(5);

describe('what published packages export', () => {
  it('[HOUSE6] is fed with hostile values, or exempt for a reason', () => {
    const missing = fed.filter((one) => rowOf(one) === undefined).map(fullName);
    expect(missing, 'exports without a row in fitting-arguments.ts').toEqual([]);
  });

  it('[HOUSE6] is there for every row, and for every exemption', () => {
    const rows = Object.entries(FITTING).flatMap(([owner, row]) =>
      Object.keys(row).map((name) => `${owner} ${name}`),
    );
    const names = fed.map(fullName);
    expect(rows.filter((row) => !names.includes(row))).toEqual([]);
    const all = callables.filter((one) => one.parameters > 0).map(fullName);
    const dead = EXEMPT.filter(([pattern]) => !all.some((name) => pattern.test(name)));
    expect(dead).toEqual([]);
    const places = OWN_FUNCTIONS.map((own) => own.replace(/ #\d+$/, ''));
    expect(places.filter((place) => !names.includes(place))).toEqual([]);
  });
});

describe('the options of a breaker', () => {
  it('[HOUSE7] are known with those within them', () => {
    const paths = Object.keys(BREAKER_OPTIONS).flatMap((name) => pathsFrom([name]));
    expect(paths.map((path) => path.join('.'))).toEqual(
      expect.arrayContaining([
        'maxMessages',
        'analysis.waitMs',
        'budget.maxUsd',
        'budget.perAgent.maxTokens',
        'contextWindow.headroom',
        'executionStorm.limit',
        'judge.askAt',
        'speakerCycle.samePair.windowTurns',
      ]),
    );
  });
});
