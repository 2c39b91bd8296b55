import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { keepPromises } from './promises.ts';
import { simulate } from './simulate.ts';

const STEPS = Number(env.SIMULATED_STEPS ?? 20_000);

describe('many conversations at once, in virtual time', () => {
  it(`[BUD19] keep every promise, in ${STEPS.toLocaleString('en')} steps`, () =>
    keepPromises(1, STEPS));

  it('[BUD19] live through the same for the same seed', async () => {
    expect(await simulate(42, 1)).toEqual(await simulate(42, 1));
  });
});
