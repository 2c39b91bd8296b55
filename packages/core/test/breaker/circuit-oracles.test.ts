import {
  BrokenCircuitError,
  CircuitState as CockatielState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel';
import fc from 'fast-check';
import OpossumBreaker from 'opossum';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CircuitState } from '../../src/index.ts';
import { CLOSED, transition } from '../../src/sharing.ts';
import { aTrip } from '../support/signals.ts';

// The oracles read the global clock and take no other, so here, and only here, it is replaced.
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const COOLDOWN_MS = 1000;

/** A call that comes `pause` ms after the one before, and how it ends. */
const calls = fc.array(fc.record({ pause: fc.nat(1500), succeeds: fc.boolean() }), {
  maxLength: 30,
});

interface Oracle {
  /** Makes one call; says whether it was let through. */
  call(succeeds: boolean): Promise<boolean>;
}

/** Ours, driven like a classic breaker that opens at the first failure, without back-off. */
class Ours implements Oracle {
  state: CircuitState = CLOSED;
  #probeId = 0;

  async call(succeeds: boolean): Promise<boolean> {
    const probeId = ++this.#probeId;
    this.#apply({ type: 'probe', probeId });
    if (this.state.status === 'open') return false;
    if (this.state.status === 'half-open') {
      this.#apply({ type: succeeds ? 'probe-passed' : 'probe-failed', probeId });
    } else if (!succeeds) {
      this.#apply({ type: 'trip', trip: aTrip() });
    }
    return true;
  }

  #apply(event: Parameters<typeof transition>[1]): void {
    const next = transition(this.state, event, Date.now(), COOLDOWN_MS);
    // Neither oracle backs off, so that every opening is compared as a first one.
    this.state =
      next.status === 'open' ? { ...next, probeFrom: next.openedAt + COOLDOWN_MS } : next;
  }
}

function cockatiel(): Oracle {
  const policy = circuitBreaker(handleAll, {
    halfOpenAfter: COOLDOWN_MS,
    breaker: new ConsecutiveBreaker(1),
  });
  return {
    call: (succeeds) =>
      policy
        .execute(() => outcome(succeeds))
        .then(
          () => true,
          (error: unknown) => !(error instanceof BrokenCircuitError),
        ),
  };
}

function opossum(): Oracle {
  const breaker = new OpossumBreaker(outcome, {
    resetTimeout: COOLDOWN_MS,
    volumeThreshold: 0,
    errorThresholdPercentage: 1,
    timeout: false,
    rollingCountTimeout: 1e9,
    rollingCountBuckets: 1,
  });
  return {
    call: (succeeds) =>
      breaker.fire(succeeds).then(
        () => true,
        (error: { code?: string }) => error.code !== 'EOPENBREAKER',
      ),
  };
}

async function outcome(succeeds: boolean): Promise<void> {
  if (!succeeds) throw new Error('failed');
}

async function admissions(
  create: () => Oracle,
  steps: readonly { readonly pause: number; readonly succeeds: boolean }[],
): Promise<boolean[]> {
  vi.clearAllTimers();
  vi.setSystemTime(0);
  const oracle = create();
  const admitted: boolean[] = [];
  for (const { pause, succeeds } of steps) {
    await vi.advanceTimersByTimeAsync(pause);
    admitted.push(await oracle.call(succeeds));
  }
  return admitted;
}

describe('transition beside other circuits', () => {
  it('[CIR2] admits and refuses the calls cockatiel admits and refuses', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (steps) => {
        const theirs = await admissions(cockatiel, steps);
        expect(await admissions(() => new Ours(), steps)).toEqual(theirs);
      }),
    );
  });

  it('[CIR2] admits and refuses the calls opossum admits and refuses', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (steps) => {
        const theirs = await admissions(opossum, steps);
        expect(await admissions(() => new Ours(), steps)).toEqual(theirs);
      }),
    );
  });

  it('[CIR4] refuses a second call during the probe, where cockatiel makes it wait', async () => {
    const opened = transition(CLOSED, { type: 'trip', trip: aTrip() }, 0, COOLDOWN_MS);
    const probing = transition(opened, { type: 'probe', probeId: 1 }, COOLDOWN_MS, COOLDOWN_MS);
    expect(transition(probing, { type: 'probe', probeId: 2 }, COOLDOWN_MS, COOLDOWN_MS)).toBe(
      probing,
    );

    const policy = circuitBreaker(handleAll, {
      halfOpenAfter: COOLDOWN_MS,
      breaker: new ConsecutiveBreaker(1),
    });
    await policy.execute(() => outcome(false)).catch(() => {});
    await vi.advanceTimersByTimeAsync(COOLDOWN_MS);
    const gate = withResolvers();
    const probe = policy.execute(() => gate.promise);
    let isSecondOver = false;
    const second = policy
      .execute(() => outcome(true))
      .then(() => {
        isSecondOver = true;
      });
    await vi.advanceTimersByTimeAsync(10);
    expect(isSecondOver).toBe(false);
    gate.resolve();
    await Promise.all([probe, second]);
    expect(policy.state).toBe(CockatielState.Closed);
  });
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
