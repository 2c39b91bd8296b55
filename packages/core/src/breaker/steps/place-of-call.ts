import type { WaitEnd } from '../../budget/calls/waiting-calls.ts';
import type { ModelRequestSignal } from '../../signal/signal.ts';
import type { NoPlace, Place, Throttle } from '../throttle/throttle.ts';
import { arrived, type Waits } from './waits.ts';

/** What a model call waits with. */
export interface PlaceWait {
  /** The conversation that it belongs to. */
  readonly conversation: string;
  readonly isRefused: () => boolean;
  readonly until: WaitEnd;
  readonly signal: AbortSignal | undefined;
}

/** Waits until a model call has its place among all others. `undefined` if it was refused meanwhile. */
export function* placeOf(
  throttle: Throttle,
  request: ModelRequestSignal,
  { conversation, isRefused, until, signal }: PlaceWait,
): Waits<Place | NoPlace | undefined> {
  const { user, team, key } = request;
  const names = [user, team, key];
  // Whom the call is made for takes turns with others, or else the conversation.
  const whose = names.some(Boolean) ? JSON.stringify(names) : conversation;
  // If a trip that ended the wait is over by now, the wait begins again.
  while (!isRefused()) {
    const answer = yield* arrived(throttle.enter(request, whose, until));
    if (answer !== undefined) return answer;
    signal?.throwIfAborted();
  }
  return undefined;
}
