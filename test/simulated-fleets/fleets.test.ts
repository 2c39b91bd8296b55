import { afterAll, describe, it } from 'vitest';
import { keepPromises } from '../../packages/core/test/simulation/promises.ts';
import { FLEET_FAULTS, type FleetFault } from './faults.ts';
import { find } from './find-faults.ts';
import { playFleets } from './play-fleets.ts';
import { removeDisk } from './scene.ts';

afterAll(removeDisk);

/** The others are looked for in the slow tests. */
const FOUND = ['a circuit that each process keeps for itself'] as const;

describe('processes that share a server, in virtual time', () => {
  it('[HOUSE20] keep every promise, in 4,000 steps', () => keepPromises(1, 4_000, playFleets));

  it.each(FOUND)('[HOUSE20] would show %s', (name) => find(FLEET_FAULTS[name] as FleetFault));
});
