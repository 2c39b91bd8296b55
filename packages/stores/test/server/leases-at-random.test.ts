import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../core/src/testing/seeded-random.ts';
import { playLeases } from '../support/play-leases.ts';

/** `LEASE_SCENES=1000` takes some minutes. */
const SEEDS = Array.from({ length: Number(process.env.LEASE_SCENES ?? 20) }, (_, i) => i + 1);

describe('leases of several processes', () => {
  it('[LEA1] never hold and spend more than the limits, whatever is lost, late or stands still for less than a life', async () => {
    for (const seed of SEEDS) {
      const scene = await playLeases(new SeededRandom(seed), { longestStandStillMs: 25_000 });
      expect(scene, `seed ${seed}`).toMatchObject({ problems: [], late: 0, reserved: 0 });
      expect(scene.leased, `seed ${seed}`).toBeGreaterThan(0);
    }
  });

  it('[LEA2] exceed the limits by no more than calls took that ended after the server had let go of them', async () => {
    let late = 0;
    for (const seed of SEEDS) {
      const scene = await playLeases(new SeededRandom(seed), { longestStandStillMs: 200_000 });
      expect(scene, `seed ${seed}`).toMatchObject({ problems: [], reserved: 0 });
      late += scene.late;
    }
    expect(late).toBeGreaterThan(0);
  });
});
