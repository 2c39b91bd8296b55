import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { simulate, tell } from './simulate.ts';

/** The other half is in other-seeds.test.ts, for the other core of the machine. */
const STEPS = Number(env.SIMULATED_STEPS ?? 1_000_000) / 2;
const TIMEOUT_MS = 300_000;

describe('many conversations at once, in virtual time', () => {
  it(
    `[BUD19] keep every promise, in ${STEPS.toLocaleString('en')} steps`,
    async () => {
      const { failure } = await simulate(1, STEPS);
      expect(failure && tell(failure)).toBeUndefined();
    },
    TIMEOUT_MS,
  );

  it('[BUD19] live through the same for the same seed', async () => {
    expect(await simulate(42, 1)).toEqual(await simulate(42, 1));
  });
});
