import { type MaybePromise, type Trip, TrippedError } from '@teamfuse/core';
import type { GuardReply } from './agent-view.ts';
import { after } from './maybe-promise.ts';
import type { Turn } from './turn.ts';
import type { Watch } from './watch.ts';

/** Decides about the turns of agents without taps, whose reply function is all there is to ask from. */
export class UntappedTurns {
  readonly #watch: Watch;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** Lets a turn go on, or settles it. */
  decide(agent: object, sender: object | null): ReturnType<GuardReply> {
    const { failOpen, options, notices, chats } = this.#watch;
    const refused = failOpen.attempt('admit', () => this.#refuse(agent, sender));
    return after(refused, (trip) => {
      if (!trip) return [false, null];
      if (options.onTrip === 'throw') throw new TrippedError(trip);
      if (options.onTrip === 'terminate') return [true, null];
      return [true, notices.take(trip, chats.scopeOf(agent, sender)) ?? null];
    });
  }

  #refuse(agent: object, sender: object | null): MaybePromise<Trip | undefined> {
    const { gatekeeper, turns, chats } = this.#watch;
    const probing = gatekeeper.probingTurn;
    if (probing && isAfter(agent, sender, probing)) this.#watch.endTurn(probing);
    const scope = chats.scopeOf(agent, sender);
    const turn = turns.begin({ agent, sender, scope, whole: gatekeeper.probingTurn });
    // Nobody says when it is over.
    turns.end(turn);
    return gatekeeper.refuseTurn(turn);
  }
}

/** Whether a turn comes after another in the same conversation, rather than being a part of it. */
function isAfter(agent: object, sender: object | null, earlier: Turn): boolean {
  if (sender === earlier.sender) return true;
  return agent === earlier.sender && sender === earlier.agent;
}
