import type { Timers } from '@teamfuse/core/kit';

/** Options of a {@link Pulse}. */
export interface PulseOptions {
  /** How long a reservation lasts after its last beat. */
  readonly reservationMs: number;
  /** For how long it is kept alive. */
  readonly callMs: number;
  readonly timers: Timers;
  /** Prolongs reservations, and returns the ids of those that are gone. */
  readonly keep: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Called at each beat, before the reservations are prolonged. */
  readonly onBeat?: () => void;
}

const BEATS_PER_LIFE = 3;

/** The time from one beat to the next. */
export function beatMsOf(reservationMs: number): number {
  return Math.ceil(reservationMs / BEATS_PER_LIFE);
}

/** How many beats keep what is held for `callMs` alive. */
export function beatsOf(callMs: number, reservationMs: number): number {
  return Math.ceil(callMs / beatMsOf(reservationMs));
}

/** Keeps the reservations of this process alive, with one timer that runs only while there are any. */
export class Pulse {
  readonly #options: PulseOptions;
  readonly #beatMs: number;
  /** The beats left to each id. */
  readonly #held: Map<string, number> = new Map();
  #timer: unknown;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#beatMs = beatMsOf(options.reservationMs);
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  hold(id: string): void {
    const { callMs, reservationMs } = this.#options;
    this.#hold(id, beatsOf(callMs, reservationMs));
  }

  /** Keeps it alive until it is dropped. */
  holdOn(id: string): void {
    this.#hold(id, Number.POSITIVE_INFINITY);
  }

  #hold(id: string, beats: number): void {
    this.#held.set(id, beats);
    if (this.#timer === undefined) this.#wait();
  }

  drop(id: string): void {
    this.#held.delete(id);
    if (this.#held.size === 0) this.close();
  }

  /** Ends the timer. */
  close(): void {
    this.#options.timers.clear(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    this.#timer = this.#options.timers.set(() => {
      this.#beat().catch(ignore);
    }, this.#beatMs);
  }

  async #beat(): Promise<void> {
    this.#wait();
    this.#options.onBeat?.();
    for (const [id, beats] of this.#held) {
      if (beats > 0) this.#held.set(id, beats - 1);
      else this.drop(id);
    }
    if (this.#held.size === 0) return;
    for (const id of await this.#options.keep([...this.#held.keys()])) this.drop(id);
  }
}

/** The next beat tries again; until then the reservations last. */
function ignore(): void {}
