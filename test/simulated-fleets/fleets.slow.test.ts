import { afterAll, describe, it } from 'vitest';
import { keepPromises } from '../../packages/core/test/simulation/promises.ts';
import { HAS_DISKS } from '../servers/full-disk.ts';
import { FLEET_FAULTS } from './faults.ts';
import { find } from './find-faults.ts';
import { playFleets } from './play-fleets.ts';
import { removeDisk } from './scene.ts';

afterAll(removeDisk);

describe('processes that share a server, at full size', () => {
  it('[HOUSE20] keep every promise, in 100,000 steps', () =>
    keepPromises(1_000, 100_000, playFleets));

  for (const [name, fault] of Object.entries(FLEET_FAULTS)) {
    it.skipIf(fault.needsDisk && !HAS_DISKS)(
      `[HOUSE20] would show ${name}${fault.needsDisk ? ' (needs root on Linux)' : ''}`,
      () => find(fault),
    );
  }
});
