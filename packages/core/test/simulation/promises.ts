import { expect } from 'vitest';
import { type Play, simulate, tell } from './simulate.ts';

/** Plays scenes from this seed on until so many steps are done: every promise has to be kept. */
export async function keepPromises(seed: number, steps: number, playing?: Play): Promise<void> {
  const { failure } = await simulate(seed, steps, playing);
  expect(failure && tell(failure)).toBeUndefined();
}
