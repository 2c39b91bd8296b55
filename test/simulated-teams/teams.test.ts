import { describe, expect, it } from 'vitest';
import { FAULTS, type Fault } from '../../packages/core/test/simulation/faults.ts';
import { keepPromises } from '../../packages/core/test/simulation/promises.ts';
import { firstViolation } from '../../packages/core/test/simulation/simulate.ts';
import { playTeams } from './play-teams.ts';

/** Faults, each with the first scene in which it is looked for: a short one that shows it. */
const FOUND = [
  ['a limit that is counted at the end', 79],
  ['a stop that new conversations do not know of', 108],
  ['a trip that is told twice', 108],
  ['a usage that is dropped as its stream breaks off', 66],
] as const;

describe('guarded teams of both generations at once, in virtual time', () => {
  it('[HOUSE16] keep every promise, in 2,000 steps', () => keepPromises(1, 2_000, playTeams));

  it.each(FOUND)('[HOUSE16] would show %s', async (name, from) => {
    const { breaks, plant } = FAULTS[name] as Fault;
    const takeOut = plant?.();
    try {
      const violation = await firstViolation(from, 20_000, {}, playTeams);
      expect([breaks].flat()).toContain(violation?.invariant);
    } finally {
      takeOut?.();
    }
  });
});
