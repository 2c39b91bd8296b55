import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitController } from '../../src/circuit/circuit-controller.ts';
import type { CircuitState } from '../../src/index.ts';
import { FREE_PERMIT } from '../../src/kit.ts';
import { type CircuitEvent, CLOSED, MAX_COOLDOWN_MS, transition } from '../../src/sharing.ts';
import { aTrip, message, turn } from '../support/signals.ts';

const COOLDOWN_MS = 1000;
const trip = aTrip();

function run(events: readonly (readonly [at: number, event: CircuitEvent])[]): CircuitState {
  return events.reduce<CircuitState>(
    (state, [at, event]) => transition(state, event, at, COOLDOWN_MS),
    CLOSED,
  );
}

const opened: readonly [number, CircuitEvent] = [0, { type: 'trip', trip }];
const probed: readonly [number, CircuitEvent] = [1000, { type: 'probe', probeId: 1 }];

describe('transition', () => {
  it('[CIR1] opens on a trip and cools down from then', () => {
    expect(run([opened])).toEqual({
      status: 'open',
      trip,
      openedAt: 0,
      probeFrom: 1000,
      openings: 1,
    });
  });

  it('[CIR2] lets the first request after the cool-down probe', () => {
    expect(run([opened, probed])).toMatchObject({ status: 'half-open', probeId: 1 });
  });

  it('[CIR3] is not moved by requests during the cool-down', () => {
    const early = run([
      opened,
      [10, { type: 'probe', probeId: 1 }],
      [999, { type: 'probe', probeId: 2 }],
    ]);
    expect(early).toEqual(run([opened]));
  });

  it('[CIR4] has one probe at a time', () => {
    expect(run([opened, probed, [1001, { type: 'probe', probeId: 2 }]])).toMatchObject({
      probeId: 1,
    });
  });

  it('[CIR5] closes when the probe brings something new', () => {
    expect(run([opened, probed, [1500, { type: 'probe-passed', probeId: 1 }]])).toBe(CLOSED);
  });

  it('[CIR6] opens for twice as long when the probe brings nothing new', () => {
    expect(run([opened, probed, [1500, { type: 'probe-failed', probeId: 1 }]])).toMatchObject({
      status: 'open',
      probeFrom: 3500,
      openings: 2,
    });
  });

  it('[CIR15] opens for as long as before when the probe is cancelled', () => {
    const failed: readonly [number, CircuitEvent] = [1500, { type: 'probe-failed', probeId: 1 }];
    const again = { type: 'probe', probeId: 2 } as const;
    const cancelled = { type: 'probe-cancelled', probeId: 2 } as const;
    expect(run([opened, probed, failed, [3500, again], [4000, cancelled]])).toMatchObject({
      status: 'open',
      probeFrom: 6000,
      openings: 2,
    });
  });

  it('[CIR6] opens for twice as long when the probe trips', () => {
    const again = aTrip('again');
    expect(run([opened, probed, [1500, { type: 'trip', trip: again }]])).toMatchObject({
      status: 'open',
      probeFrom: 3500,
      trip: again,
    });
  });

  it('[CIR7] never cools down for longer than 15 minutes', () => {
    const open: CircuitState = { status: 'open', trip, openedAt: 0, probeFrom: 0, openings: 40 };
    const probing = transition(open, { type: 'probe', probeId: 9 }, 0, COOLDOWN_MS);
    expect(transition(probing, { type: 'probe-failed', probeId: 9 }, 5, COOLDOWN_MS)).toMatchObject(
      {
        probeFrom: 5 + MAX_COOLDOWN_MS,
      },
    );
  });

  it('[CIR7] has no cool-down after any number of openings where the first is none', () => {
    const probing: CircuitState = {
      ...{ status: 'half-open', trip, probeId: 9, probeUntil: MAX_COOLDOWN_MS, openings: 2_000 },
    };
    const failed = transition(probing, { type: 'probe-failed', probeId: 9 }, 5, 0);
    expect(failed).toMatchObject({ status: 'open', probeFrom: 5 });
    expect(transition(probing, { type: 'probe-failed', probeId: 9 }, 5, 1)).toMatchObject({
      probeFrom: 5 + MAX_COOLDOWN_MS,
    });
  });

  it('[CIR8] starts from the first cool-down again after it has closed', () => {
    const closed = run([opened, probed, [1500, { type: 'probe-passed', probeId: 1 }]]);
    expect(transition(closed, { type: 'trip', trip }, 2000, COOLDOWN_MS)).toMatchObject({
      probeFrom: 3000,
      openings: 1,
    });
  });

  it('[CIR9] stays stopped by hand whatever comes, until it is reset', () => {
    const later: CircuitEvent[] = [
      { type: 'probe', probeId: 1 },
      { type: 'probe-passed', probeId: 0 },
      { type: 'trip', trip: aTrip('another') },
      { type: 'stop', trip: aTrip('another') },
    ];
    const stopped = run([[0, { type: 'stop', trip }]]);
    for (const event of later) {
      expect(transition(stopped, event, 1e12, COOLDOWN_MS)).toBe(stopped);
    }
    expect(transition(stopped, { type: 'reset' }, 1, COOLDOWN_MS)).toBe(CLOSED);
  });

  it('[CIR9] takes the stop of a person in place of one that came by itself', () => {
    const manual = { ...aTrip('enough'), kind: 'manual' } as const;
    const stopped = run([[0, { type: 'stop', trip }]]);
    const byHand = transition(stopped, { type: 'stop', trip: manual }, 1, COOLDOWN_MS);
    expect(byHand).toEqual({ status: 'stopped', trip: manual });
    expect(transition(byHand, { type: 'stop', trip }, 2, COOLDOWN_MS)).toBe(byHand);
  });

  it('[CIR10] keeps the first reason while it is open', () => {
    expect(run([opened, [10, { type: 'trip', trip: aTrip('another') }]])).toEqual(run([opened]));
  });

  it('[CIR11] ignores what is said of a probe that is not the one under way', () => {
    const probing = run([opened, probed]);
    expect(transition(probing, { type: 'probe-passed', probeId: 7 }, 1100, COOLDOWN_MS)).toBe(
      probing,
    );
    for (const type of ['probe-failed', 'probe-cancelled'] as const) {
      expect(transition(probing, { type, probeId: 7 }, 1100, COOLDOWN_MS)).toBe(probing);
    }
  });

  it('[CIR11] lets nothing of a lost probe pass while another process has the next one', () => {
    const hooks = { changed: () => {}, tell: undefined, isOver: () => false };
    const circuit = new CircuitController({ cooldownMs: 1000 }, () => 1000, { emit() {} }, hooks);
    const becomeProbe = (): void => {};
    const step = { ...FREE_PERMIT, isProbe: true, request: turn('a', 1000), becomeProbe };
    circuit.apply(opened[1], 0);
    expect([circuit.probe(step), circuit.refusal(step)]).toEqual([undefined, undefined]);
    circuit.follow(run([opened]));
    circuit.follow(run([opened, [1000, { type: 'probe', probeId: 99 }]]));
    expect(circuit.refusal(step)).toBe(trip);
    expect(circuit.progress(message('a', 'news'))).toBe(false);
  });

  it('[CIR12] gives a probe up that has not reported for 15 minutes', () => {
    const late = 1000 + MAX_COOLDOWN_MS;
    expect(run([opened, probed, [late, { type: 'probe', probeId: 2 }]])).toMatchObject({
      status: 'open',
      probeFrom: late + 2000,
    });
  });

  it('[CIR14] lets a probe last for a time, from each time that it asks, and the next request after it', () => {
    const asks = (at: number, probeId: number): readonly [number, CircuitEvent] => [
      at,
      { type: 'probe', probeId, lastsMs: 100 },
    ];
    const held = run([opened, asks(1000, 1), asks(1060, 1), asks(1159, 2)]);
    expect(held).toMatchObject({ status: 'half-open', probeId: 1, probeUntil: 1160 });
    expect(transition(held, asks(1060, 1)[1], 1060, COOLDOWN_MS)).toBe(held);
    const taken = run([opened, asks(1000, 1), asks(1100, 2), asks(1150, 1)]);
    const next = { status: 'half-open', probeId: 2, probeUntil: 1200, openings: 1 };
    expect(taken).toMatchObject(next);
    const asOthers: readonly [number, CircuitEvent] = [1100, { type: 'probe', probeId: 2 }];
    expect(run([opened, asks(1000, 1), asOthers])).toMatchObject({ status: 'open', openings: 2 });
  });

  it('[CIR13] gives the state itself back when an event changes nothing, also one that was stored', () => {
    const closed: CircuitState = { status: 'closed' };
    const idle: readonly CircuitEvent[] = [
      { type: 'reset' },
      { type: 'probe', probeId: 1 },
      { type: 'probe-passed', probeId: 1 },
      { type: 'probe-failed', probeId: 1 },
    ];
    for (const event of idle) expect(transition(closed, event, 1e12, COOLDOWN_MS)).toBe(closed);
    const open = run([opened]);
    for (const event of idle.slice(2)) {
      expect(transition(open, event, 1e12, COOLDOWN_MS)).toBe(open);
    }
  });

  it('[CIR3] reaches no state but those its events allow, and never cools down beyond the cap', () => {
    const event = fc.oneof(
      fc.constant<CircuitEvent>({ type: 'trip', trip }),
      fc.nat(3).map((probeId): CircuitEvent => ({ type: 'probe', probeId })),
      fc.nat(3).map((probeId): CircuitEvent => ({ type: 'probe-passed', probeId })),
      fc.nat(3).map((probeId): CircuitEvent => ({ type: 'probe-failed', probeId })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(5000))), (steps) => {
        let state: CircuitState = CLOSED;
        let at = 0;
        for (const [next, pause] of steps) {
          at += pause;
          const before = state;
          state = transition(before, next, at, COOLDOWN_MS);
          if (before.status === 'open' && state.status === 'half-open') {
            expect(at).toBeGreaterThanOrEqual(before.probeFrom);
          }
          if (before.status === 'closed' && next.type !== 'trip') expect(state).toBe(before);
          if (state.status === 'open') {
            expect(state.probeFrom - state.openedAt).toBeLessThanOrEqual(MAX_COOLDOWN_MS);
          }
        }
      }),
    );
  });
});
