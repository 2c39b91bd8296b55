import { env } from 'node:process';
import { expect, it } from 'vitest';
import { simulate, tell } from './simulate.ts';

const STEPS = Number(env.SIMULATED_STEPS ?? 1_000_000) / 2;
const TIMEOUT_MS = 300_000;

it(
  `[BUD19] many conversations at once keep every promise with other seeds, in ${STEPS.toLocaleString('en')} steps`,
  async () => {
    const { failure } = await simulate(1_000_001, STEPS);
    expect(failure && tell(failure)).toBeUndefined();
  },
  TIMEOUT_MS,
);
