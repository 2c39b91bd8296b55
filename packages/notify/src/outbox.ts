import type { Trip } from '@teamfuse/core';
import { Delivery, type Message } from './delivery.ts';
import { NotifyError } from './notify-error.ts';
import type { CheckedOptions } from './notify-options.ts';

/** A message, what it tells of, and what to do when it is told or given up. */
interface Parcel extends Message {
  readonly trip: Trip;
  readonly settle: (outcome: Promise<void> | undefined) => void;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const FOREVER_MS = 2 ** 31 - 1;

/** Sends messages one after another, so that they arrive in order and a server that is down is asked by one of them at a time. */
export class Outbox {
  readonly #options: CheckedOptions;
  readonly #delivery: Delivery;
  readonly #waiting: Parcel[] = [];
  /** Ends when nothing waits; `undefined` while nothing is sent. */
  #sending: Promise<void> | undefined;
  #lost = 0;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.#delivery = new Delivery(options);
  }

  /** How many messages wait, and are under way. */
  get pending(): number {
    return this.#waiting.length + (this.#sending === undefined ? 0 : 1);
  }

  /** How many messages were given up so far. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Ends when the message was told, or when `onError` was told that it is not.
   * @throws {@link NotifyError} if there is no `onError`, and what `onError` throws
   */
  add(trip: Trip, body: string): Promise<void> {
    return new Promise((settle) => {
      const { maxPending } = this.#options;
      const oldest = this.#waiting.length < maxPending ? undefined : this.#waiting.shift();
      this.#waiting.push({ id: `trip_${crypto.randomUUID()}`, body, trip, settle });
      if (oldest !== undefined) {
        this.#giveUp(oldest, 'DROPPED', `more than ${maxPending} were waiting`);
      }
      this.#sending ??= this.#send();
    });
  }

  /** Waits until nothing waits, for `withinMs` at most. The process stays alive meanwhile. */
  async flush(withinMs: number): Promise<void> {
    if (this.#sending === undefined) return;
    const { timers } = this.#options;
    const awake = setInterval(() => {}, FOREVER_MS);
    let timer: unknown;
    const late = new Promise<void>((resolve) => {
      timer = timers.set(resolve, withinMs);
    });
    try {
      await Promise.race([this.#sending, late]);
    } finally {
      clearInterval(awake);
      timers.clear(timer);
    }
  }

  async #send(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      // A `fetch` of the user's own must not run while the breaker emits.
      await Promise.resolve();
      try {
        await this.#deliver(next);
      } catch {
        // Only a clock, timers or a `random` of the user's own throw.
        this.#giveUp(next, 'UNREACHABLE', 'it could not be sent');
      }
    }
    this.#sending = undefined;
  }

  async #deliver(parcel: Parcel): Promise<void> {
    const { attempts } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#delivery.attempt(parcel);
      if (outcome.state === 'delivered') return parcel.settle(undefined);
      const { problem, status } = outcome;
      if (outcome.state === 'refused') return this.#giveUp(parcel, 'REFUSED', problem, status);
      if (attempt === attempts) {
        const last = attempts === 1 ? problem : `${attempts} attempts failed, at last: ${problem}`;
        return this.#giveUp(parcel, 'UNREACHABLE', last, status);
      }
      await this.#pause(Math.max(outcome.waitMs, this.#backOffMs(attempt)));
    }
  }

  /** Twice as long after each attempt. Up to half of it is left to chance. */
  #backOffMs(attempt: number): number {
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
    return Math.round(ms * (0.5 + this.#options.random() / 2));
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.timers.set(resolve, ms));
  }

  #giveUp(parcel: Parcel, code: NotifyError['code'], problem: string, status?: number): void {
    this.#lost += 1;
    parcel.settle(this.#tell(new NotifyError(code, problem, parcel.trip, status)));
  }

  async #tell(error: NotifyError): Promise<void> {
    const { onError } = this.#options;
    if (onError === undefined) throw error;
    await onError(error);
  }
}
