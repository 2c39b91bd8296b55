import { defer, distinctUntilChanged, filter, map, Observable, startWith } from 'rxjs';
import type { Breaker } from './breaker/breaker.ts';
import type { CircuitState } from './circuit/circuit.ts';
import type { Trip } from './circuit/trip.ts';
import type { BreakerEventMap } from './events/breaker-events.ts';

/** The events of a breaker as live streams, which never complete. */
export interface BreakerStreams {
  readonly signals$: Observable<BreakerEventMap['signal']>;
  readonly findings$: Observable<BreakerEventMap['finding']>;
  readonly trips$: Observable<Trip>;
  /** The state of the main conversation, beginning with the current one. */
  readonly state$: Observable<CircuitState['status']>;
}

/**
 * Offers a breaker's events as rxjs streams.
 *
 * rxjs reports an error of a subscriber as an uncaught exception; set its `config.onUnhandledError` to handle it.
 *
 * @example
 * ```ts
 * const { trips$ } = streams(breaker);
 * trips$.subscribe((trip) => console.log(trip.reason));
 * ```
 */
export function streams(breaker: Breaker): BreakerStreams {
  const on = <K extends keyof BreakerEventMap>(event: K): Observable<BreakerEventMap[K]> =>
    new Observable((subscriber) => breaker.on(event, (payload) => subscriber.next(payload)));
  return {
    signals$: on('signal'),
    findings$: on('finding'),
    trips$: on('trip'),
    state$: defer(() =>
      on('state').pipe(
        filter(({ conversation }) => conversation === ''),
        map(({ to }) => to.status),
        startWith(breaker.conversation().state.status),
        distinctUntilChanged(),
      ),
    ),
  };
}
