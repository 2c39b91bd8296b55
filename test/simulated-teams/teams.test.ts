import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { FAULTS, type Fault } from '../../packages/core/test/simulation/faults.ts';
import { firstViolation, simulate, tell } from '../../packages/core/test/simulation/simulate.ts';
import { playTeams } from './play-teams.ts';

/** A step of a team takes as long as several of a bare conversation. */
const STEPS = Number(env.SIMULATED_STEPS ?? 1_000_000) / 50;

const FOUND = [
  'a limit that is counted at the end',
  'a stop that new conversations do not know of',
  'a trip that is told twice',
  'a usage that is dropped as its stream breaks off',
] as const;

describe('guarded teams of both generations at once, in virtual time', () => {
  it(`[HOUSE16] keep every promise, in ${STEPS.toLocaleString('en')} steps`, async () => {
    const { failure } = await simulate(1, STEPS, playTeams);
    expect(failure && tell(failure)).toBeUndefined();
  });

  it.each(FOUND)('[HOUSE16] would show %s', async (name) => {
    const { breaks, plant } = FAULTS[name] as Fault;
    const takeOut = plant?.();
    try {
      const violation = await firstViolation(1, STEPS, {}, playTeams);
      expect([breaks].flat()).toContain(violation?.invariant);
    } finally {
      takeOut?.();
    }
  });
});
