import { describe, expect, it } from 'vitest';
import { FAULTS } from './faults.ts';
import { firstViolation } from './simulate.ts';

const STEPS = 300_000;

describe('the simulation finds', () => {
  it.each(Object.entries(FAULTS))('[BUD19] %s', async (_, { breaks, from, plant, spoil }) => {
    const takeOut = plant?.();
    try {
      const violation = await firstViolation(from, STEPS, { spoil });
      expect([breaks].flat()).toContain(violation?.invariant);
    } finally {
      takeOut?.();
    }
  });
});
