import type {
  Admission,
  AdmissionRequest,
  Breaker,
  MaybePromise,
  Permit,
  Trip,
} from '@teamfuse/core';
import type { FailOpen } from './fail-open.ts';
import { after, isPromise } from './maybe-promise.ts';
import type { Run } from './scope.ts';
import { isWithin, type Turn } from './turn.ts';

/** Why a step may not begin. */
export interface Refused {
  readonly reason: string;
  /** Missing when it is not the team that has to be stopped: nobody could be asked. */
  readonly trip?: Trip;
}

/** The turn that a half-open circuit lets through. */
interface Probe {
  readonly permit: Permit;
  readonly turn: Turn;
  /** Whether it is over but for the calls it has asked for, which somebody else carries out. */
  readonly awaitsCalls: boolean;
}

/** Asks the breaker for leave, keeps a stopped run stopped, and follows the one turn that may probe. */
export class Gatekeeper {
  readonly #breaker: Breaker;
  readonly #failOpen: FailOpen;
  #probe: Probe | undefined;

  constructor(breaker: Breaker, failOpen: FailOpen) {
    this.#breaker = breaker;
    this.#failOpen = failOpen;
  }

  /** Why a turn may not begin; `undefined` lets it begin. Comes later only while somebody is asked about a suspicion. */
  refuseTurn(turn: Turn): MaybePromise<Trip | undefined> {
    const run = turn.scope?.run;
    if (run?.trip) return run.trip;
    const { state } = this.#breaker;
    const at = this.#breaker.now();
    // The run of a group is no probe: the first of its members to speak is.
    if (turn.isConducting && state.status === 'open' && at >= state.probeFrom) return undefined;
    const depth = turn.scope?.depth ?? 0;
    const request = { kind: 'turn', agent: turn.actsFor, at, depth } as const;
    const admission = this.#ask(request, turn);
    return after(admission, (answer) => this.#beginTurn(turn, answer));
  }

  /** Why a step of a turn may not begin. */
  refuseStep(
    request: AdmissionRequest,
    turn: Turn | undefined,
    run: Run | undefined,
  ): MaybePromise<Refused | undefined> {
    const { state } = this.#breaker;
    // Only a turn can be the probe; a step by itself would use it up.
    const trip = run?.trip ?? (state.status === 'open' ? state.trip : undefined);
    if (trip) return refusal(trip);
    const admission = this.#ask(request, turn);
    if (!isPromise(admission)) return refusal(settle(admission, run));
    return Promise.resolve(admission).then(
      (answer) => refusal(settle(answer, run)),
      (error: unknown) => this.#storeFailed(error),
    );
  }

  /** Why no model is to choose the speaker: until the circuit is closed that would be a call beside the probe. */
  refuseSelection(turn: Turn | undefined): Trip | undefined {
    const { trip } = this.#breaker;
    return this.#probe && isWithin(turn, this.#probe.turn) ? undefined : trip;
  }

  /** A turn is over, and with it the probe if it was that; unless calls it has asked for are still to be made. */
  turnOver(turn: Turn, asksForCalls = false): void {
    if (!this.#probe) return;
    const { turn: probing, awaitsCalls, permit } = this.#probe;
    if (turn === probing && asksForCalls && !awaitsCalls) {
      this.#probe = { ...this.#probe, awaitsCalls: true };
    } else if (turn === probing || (awaitsCalls && turn.parent === probing)) {
      this.#probe = undefined;
      this.#failOpen.attempt('admit', () => permit.release());
    }
  }

  /** The turn that probes, if one does. */
  get probingTurn(): Turn | undefined {
    return this.#probe?.turn;
  }

  /** The turn that probes, if all it lacks is that its calls are made. */
  get callingTurn(): Turn | undefined {
    return this.#probe?.awaitsCalls ? this.#probe.turn : undefined;
  }

  #beginTurn(turn: Turn, admission: Admission | undefined): Trip | undefined {
    if (admission?.isAdmitted && admission.permit.isProbe) {
      this.#probe = { permit: admission.permit, turn, awaitsCalls: false };
    }
    return settle(admission, turn.scope?.run);
  }

  #ask(request: AdmissionRequest, turn: Turn | undefined): MaybePromise<Admission | undefined> {
    const options =
      this.#probe && isWithin(turn, this.#probe.turn) ? { within: this.#probe.permit } : {};
    return this.#failOpen.attempt('admit', () => this.#breaker.admit(request, options));
  }

  /** The one failure that does not let a step pass: money that nobody can account for is not spent. */
  #storeFailed(error: unknown): Refused {
    this.#failOpen.report('admit', error);
    const cause = error instanceof Error ? error.message : String(error);
    return { reason: `the budget could not be asked: ${cause}` };
  }
}

function refusal(trip: Trip | undefined): Refused | undefined {
  return trip && { reason: trip.reason, trip };
}

function settle(admission: Admission | undefined, run: Run | undefined): Trip | undefined {
  if (admission === undefined || admission.isAdmitted) return undefined;
  if (run) run.trip ??= admission.trip;
  return admission.trip;
}
