import type { Run, Scope } from '@teamfuse/adapter-kit';
import type { Trip } from '@teamfuse/core';

/** Tells a team about a trip once, in its outermost chat. */
export class TripNotice {
  readonly #told: WeakSet<Run> = new WeakSet();
  /** For agents that are asked outside of any chat. */
  #lastTold: Trip | undefined;

  /** Whether the team is still to be told at this place. */
  isDue(scope: Scope | undefined): boolean {
    return scope !== undefined && scope.depth === 0 && !this.#told.has(scope.run);
  }

  /** The text for the next speaker to say in place of a reply, if it is due. */
  take(trip: Trip, scope: Scope | undefined): string | undefined {
    if (scope === undefined) {
      if (this.#lastTold === trip) return undefined;
      this.#lastTold = trip;
    } else {
      if (!this.isDue(scope)) return undefined;
      this.#told.add(scope.run);
    }
    return `[CIRCUIT OPEN] ${trip.reason}`;
  }
}
