import type { CircuitState, Trip } from '@teamfuse/core';
import type { CircuitEvent } from '@teamfuse/core/sharing';
import { FakeClock } from '@teamfuse/testing';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { aTrip } from '../../../../core/test/support/signals.ts';
import { MemoryCircuitStore } from '../../../src/fleet/index.ts';
import { PostgresCircuitStore } from '../../../src/postgres/index.ts';
import { advanceCircuits } from './advance.ts';

/** Mostly what leads from an open circuit to a probe and back. */
const event: fc.Arbitrary<CircuitEvent> = fc.oneof(
  { weight: 3, arbitrary: ofTrip('trip') },
  { weight: 1, arbitrary: ofTrip('stop') },
  { weight: 4, arbitrary: ofProbe('probe') },
  { weight: 1, arbitrary: ofProbe('probe-passed') },
  { weight: 2, arbitrary: ofProbe('probe-failed') },
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom('a', 'a', 'a', 'b'),
  event,
  // Cool-downs last for seconds, probes for minutes.
  ms: fc.constantFrom(0, 2_000, 40_000, 16 * 60_000),
});

interface Step {
  readonly id: string;
  readonly event: CircuitEvent;
  readonly ms: number;
}

function ofTrip(type: 'trip' | 'stop'): fc.Arbitrary<CircuitEvent> {
  return fc.constantFrom('one', 'two', 'by hand').map((reason) => ({ type, trip: tripOf(reason) }));
}

function ofProbe(type: 'probe' | 'probe-passed' | 'probe-failed'): fc.Arbitrary<CircuitEvent> {
  return fc.constantFrom(1, 1, 1, 2).map((probeId) => ({ type, probeId }));
}

export function tripOf(reason: string): Trip {
  return { ...aTrip(reason), kind: reason === 'by hand' ? 'manual' : 'repetition' };
}

/** A state without the times, which each clock has of its own, but with the lengths of waits. */
function untimed(state: CircuitState): object {
  if (state.status !== 'open') return { ...state, probeUntil: undefined };
  const { openedAt, probeFrom, ...rest } = state;
  return { ...rest, waitMs: probeFrom - openedAt };
}

/** Has so many fleets meet anything: PostgreSQL decides as the circuit of core does. */
export async function decideAlike(pool: Pool, numRuns: number): Promise<void> {
  let fleet = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const clock = new FakeClock();
      const own = new MemoryCircuitStore({ now: clock.now });
      const name = `any ${++fleet}`;
      const store = new PostgresCircuitStore(pool, { fleet: name });
      for (const { id, event, ms } of steps) {
        clock.advance(ms);
        await advanceCircuits(pool, ms, name);
        const [told, expected] = [await store.apply(id, event, 1_000), own.apply(id, event, 1_000)];
        expect(untimed(told.state)).toEqual(untimed(expected.state));
      }
      store.close();
    }),
    { numRuns },
  );
}
