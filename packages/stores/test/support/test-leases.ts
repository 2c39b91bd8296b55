import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { playLeases } from './play-leases.ts';

/** Plays these scenes: calm ones, and ones in which processes stand still for longer than a life. */
export function testLeases(seeds: readonly number[]): void {
  describe('leases of several processes', () => {
    it('[LEA1] never hold and spend more than the limits, whatever is lost, late or stands still for less than a life', async () => {
      for (const seed of seeds) {
        const scene = await playLeases(new SeededRandom(seed), { longestStandStillMs: 25_000 });
        expect(scene, `seed ${seed}`).toMatchObject({ problems: [], late: 0, reserved: 0 });
        expect(scene.leased, `seed ${seed}`).toBeGreaterThan(0);
      }
    });

    it('[LEA2] exceed the limits by no more than calls took that ended after the server had let go of them', async () => {
      let late = 0;
      for (const seed of seeds) {
        const scene = await playLeases(new SeededRandom(seed), { longestStandStillMs: 200_000 });
        expect(scene, `seed ${seed}`).toMatchObject({ problems: [], reserved: 0 });
        late += scene.late;
      }
      expect(late).toBeGreaterThan(0);
    });
  });
}
