import type { Trip } from '@teamfuse/core';
import type { Scope } from './scope.ts';

/** Sees to it that a team is told about a trip once, in its outermost chat. */
export class Notices {
  /** For agents that are talked to outside of any chat. */
  #lastTold: Trip | undefined;

  /** Whether the team is still to be told in this conversation. */
  isOpen(scope: Scope | undefined): boolean {
    return scope !== undefined && scope.depth === 0 && !scope.run.isTold;
  }

  /** What the next speaker says in place of a reply, if it is time to say it. */
  take(trip: Trip, scope: Scope | undefined): string | undefined {
    if (scope === undefined) {
      if (this.#lastTold === trip) return undefined;
      this.#lastTold = trip;
    } else {
      if (!this.isOpen(scope)) return undefined;
      scope.run.isTold = true;
    }
    return `[CIRCUIT OPEN] ${trip.reason}`;
  }
}
