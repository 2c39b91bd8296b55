import { defer, distinctUntilChanged, map, Observable, startWith } from 'rxjs';
import type { Breaker } from './breaker/breaker.ts';
import type { CircuitState } from './breaker/circuit/circuit.ts';
import type { BreakerEventMap } from './breaker/events/breaker-events.ts';
import type { Trip } from './trip.ts';

/** What happens in a breaker, as live streams. They never end: a breaker has no end of its own. */
export interface BreakerStreams {
  readonly signals$: Observable<BreakerEventMap['signal']>;
  readonly findings$: Observable<BreakerEventMap['finding']>;
  readonly trips$: Observable<Trip>;
  /** Starts with the state at the time of subscribing. */
  readonly state$: Observable<CircuitState['status']>;
}

/**
 * Offers a breaker's events as rxjs streams.
 *
 * rxjs rethrows what a subscriber throws as an uncaught exception, after the breaker has done its work; set rxjs's
 * `config.onUnhandledError` to take it elsewhere.
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
        map(({ to }) => to.status),
        startWith(breaker.state.status),
        distinctUntilChanged(),
      ),
    ),
  };
}
