import { expect } from 'vitest';
import { firstViolation } from '../../packages/core/test/simulation/simulate.ts';
import type { FleetFault } from './faults.ts';
import { playFleets } from './play-fleets.ts';

const STEPS = 100_000;

/** The simulation has to find a fault that is planted. */
export async function find({ breaks, from, plant }: FleetFault): Promise<void> {
  const takeOut = plant();
  try {
    const violation = await firstViolation(from, STEPS, {}, playFleets);
    expect([breaks].flat()).toContain(violation?.invariant);
  } finally {
    takeOut();
  }
}
