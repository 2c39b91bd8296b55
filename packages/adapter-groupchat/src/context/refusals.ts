import {
  type GuardContext,
  isAnswerDue,
  type Run,
  type Scope,
  tripIn,
} from '@teamfuse/adapter-kit';
import { type Trip, TrippedError } from '@teamfuse/core';
import type { Refusal } from '@teamfuse/groupchat';
import type { TripMode } from './chat-options.ts';

/** How a refusal ends a chat: as a refusal that agents recognise, as a notice instead of a reply, or as an error. */
export class Refusals {
  readonly #context: GuardContext;
  readonly #onTrip: TripMode;
  /** Runs whose team knows of its trip. */
  readonly #told: WeakSet<Run> = new WeakSet();
  /** The same for agents that are asked outside of any chat. */
  #lastTold: Trip | undefined;

  constructor(context: GuardContext, onTrip: TripMode) {
    this.#context = context;
    this.#onTrip = onTrip;
  }

  /** The error that ends a step of an agent with taps. One that is no refusal stays unchanged. */
  errorOf(error: unknown): unknown {
    // A guard of another breaker may have converted it already.
    const trip = 'refusal' in Object(error) ? undefined : tripIn(error);
    if (trip === undefined) return error;
    return this.#onTrip === 'throw' ? new TrippedError(trip) : refusal(trip, error);
  }

  /** The answer of an agent without taps to a turn. An error that is no refusal is reported, and the turn begins. */
  answerTo(error: unknown): readonly [final: boolean, reply: string | null] {
    const trip = tripIn(error);
    if (trip === undefined) {
      this.#context.report('admit', error);
      return [false, null];
    }
    if (this.#onTrip === 'throw') throw new TrippedError(trip);
    return [true, this.noticeOf(error) ?? null];
  }

  /** The text with which the next speaker reports a trip to the team instead of a reply, once for each trip. */
  noticeOf(error: unknown): string | undefined {
    const trip = tripIn(error);
    const { scope, isRehearsal } = this.#context;
    if (trip === undefined || this.#onTrip !== 'reply' || isRehearsal) return undefined;
    if (scope === undefined) {
      if (this.#lastTold === trip) return undefined;
      this.#lastTold = trip;
    } else {
      if (!this.#isUntold(scope)) return undefined;
      this.#told.add(scope.run);
    }
    return `[CIRCUIT OPEN] ${trip.reason}`;
  }

  /** Refuses to choose a speaker in a stopped run, unless that speaker is to report the trip. */
  ofSelection(): Refusal | undefined {
    const { scope } = this.#context;
    if (scope?.run.trip === undefined || isAnswerDue(this.#context)) return undefined;
    if (this.#onTrip === 'reply' && this.#isUntold(scope)) return undefined;
    const { trip } = scope.run;
    if (this.#onTrip === 'throw') throw new TrippedError(trip);
    return { reason: trip.reason };
  }

  #isUntold({ depth, run }: Scope): boolean {
    return depth === 0 && !this.#told.has(run);
  }
}

/** A trip as a refusal that agents recognise. */
export function refusal({ reason }: Trip, cause?: unknown): Error {
  return Object.assign(new Error(reason, { cause }), { refusal: { reason } });
}
