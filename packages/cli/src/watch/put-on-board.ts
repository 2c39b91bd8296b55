import type { Breaker, BreakerEventMap, Conversation } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { merge, Observable, streams, tap } from '../vendor/streams.ts';
import type { Board } from './board.ts';

/** A breaker whose conversations a board shows. */
export interface ShownBreaker {
  readonly breaker: Breaker;
  /** Counts the breakers of a board from 1. */
  readonly number: number;
  /** The team of all of its conversations. */
  readonly team?: string | undefined;
}

/** Puts what happens in a breaker on the board, and announces changes. */
export function putOnBoard(
  { breaker, number, team }: ShownBreaker,
  board: Board,
): Observable<unknown> {
  const { signals$, trips$ } = streams(breaker);
  const { disclosure, conversations } = internalsOf(breaker);
  const states$ = new Observable<BreakerEventMap['state']>((subscriber) =>
    breaker.on('state', (change) => subscriber.next(change)),
  );
  const main = number === 1 ? 'main' : `main ${number}`;
  const nameOf = (conversation: string): string => {
    if (conversation === '') return main;
    return number === 1 ? conversation : `${conversation} (${number})`;
  };
  const live = (id: string) => (): Conversation | undefined => conversations.findOrRecall(id);
  return merge(
    signals$.pipe(
      tap(({ signal, conversation: id }) => {
        const name = nameOf(id);
        board.signal(name, signal, disclosure);
        board.belongs(name, { breaker, team, live: live(id) });
      }),
    ),
    trips$.pipe(
      tap((trip) => {
        const name = nameOf(trip.conversation);
        // A stop of everything concerns conversations, too, that never began.
        if (trip.kind !== 'manual' || board.has(name)) board.trip(name, trip);
      }),
    ),
    states$.pipe(
      tap(({ to, conversation }) => to.status === 'closed' && board.closed(nameOf(conversation))),
    ),
  );
}
