import type { Permit } from '../circuit/permit.ts';
import { type Trip, TrippedError } from '../circuit/trip.ts';
import { onAbort } from '../common/deadline.ts';
import { atOnce, type MaybePromise } from '../common/maybe-promise.ts';
import type { Signal } from '../signal/signal.ts';
import type { StepHost } from './step-host.ts';
import type { Outcome } from './step-report.ts';

/** An admitted step until its end: what aborts it, and what it reports. */
export class OpenStep<T> {
  readonly permit: Permit;
  /** See {@link Step.streamed}. */
  readonly streamed: (text: string) => void;
  readonly #end: (outcome: Outcome<T>, isGivenUp: boolean) => void;
  readonly #unsubscribe: () => void;
  #controller: AbortController | undefined;
  /** Why it was stopped: the trip, or the caller's abort reason. */
  #stop: { readonly reason: unknown; readonly trip?: Trip } | undefined;
  #endWait: (() => void) | undefined;

  /** `end` reports the outcome, and is told whether the step was stopped before it failed. */
  constructor(
    host: Pick<StepHost, 'onOpen'>,
    permit: Permit,
    given: AbortSignal | undefined,
    streamed: (text: string) => void,
    end: (outcome: Outcome<T>, isGivenUp: boolean) => void,
  ) {
    this.permit = permit;
    this.streamed = streamed;
    this.#end = end;
    const offOpen = host.onOpen((trip) => this.#abort({ reason: new TrippedError(trip), trip }));
    const offAbort = given && onAbort(given, () => this.#abort({ reason: given.reason }));
    this.#unsubscribe = () => {
      offOpen();
      offAbort?.();
    };
  }

  /** Aborts when the step is stopped. Created on demand, because most steps need none. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stop !== undefined) this.#controller.abort(this.#stop.reason);
    }
    return this.#controller.signal;
  }

  /** Reports the outcome and releases the permit. */
  end(outcome: Outcome<T>): void {
    this.#unsubscribe();
    this.#end(outcome, this.#stop !== undefined && 'error' in outcome);
    this.permit.release();
  }

  /** Ends with the work, which nothing stops. */
  endWith(work: Promise<T>): Promise<T> {
    work.then(
      (value) => this.end({ value }),
      (error) => this.end({ error }),
    );
    return work;
  }

  /** Waits for the work, or until the step is stopped. After a trip, `refused` returns the result. */
  ending(work: PromiseLike<T>, refused: (trip: Trip) => MaybePromise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#endWait = () => {
        const { reason, trip } = this.#stop ?? {};
        if (trip === undefined) reject(reason);
        else resolve(refused(trip));
      };
      if (this.#stop !== undefined) this.#endWait();
      Promise.resolve(work).then(
        (value) => {
          this.end({ value });
          resolve(value);
        },
        (error) => {
          this.end({ error });
          reject(error);
        },
      );
    });
  }

  #abort(stop: { readonly reason: unknown; readonly trip?: Trip }): void {
    this.#stop = stop;
    this.#unsubscribe();
    this.#controller?.abort(stop.reason);
    if (this.#endWait === undefined) return;
    // Other places are kept until the work has ended: it may ignore its signal.
    if (this.permit.isProbe) this.permit.cancel();
    this.#endWait();
  }
}

/** Reports the outcome of a step. An error in doing so is emitted. */
export function reportEnd<O>(
  host: Pick<StepHost, 'observe' | 'reportError'>,
  report: (outcome: O) => Signal | undefined,
  outcome: O,
): void {
  try {
    const signal = atOnce('report', report(outcome));
    if (signal !== undefined) host.observe(signal);
  } catch (error) {
    host.reportError(error);
  }
}
