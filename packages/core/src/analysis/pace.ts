import type { JsonValue } from '../json.ts';
import type { Signal } from '../signal/signal.ts';
import { restoredNumber, restoredNumbers, restoredRecord } from './restored.ts';

const SAMPLES = 9;
/** What a step is taken to need before any was seen. */
const FIRST_PACE_MS = 3000;
/** A wait is so much longer than the usual pace. */
const WAIT_FACTOR = 4;
/** After so long everything is a new beginning, not only a poll. */
const LONG_WAIT_MS = 10 * 60_000;

/** Follows how long a team idles between its steps, to tell waiting from working. */
export class Pace {
  readonly #minWaitMs: number;
  #lastAt: number | null = null;
  #requestedAt: number | null = null;
  #busyMs = 0;
  #gapsMs: number[] = [];

  constructor(minWaitMs: number) {
    this.#minWaitMs = minWaitMs;
  }

  /** Takes the next step in and says whether the team waited before it. Time that a step or a model took is no wait. */
  step(signal: Signal): boolean {
    const tookMs = 'durationMs' in signal ? (signal.durationMs ?? 0) : 0;
    const idleMs =
      this.#lastAt === null
        ? 0
        : Math.max(0, signal.at - this.#lastAt - Math.max(tookMs, this.#busyMs));
    const minMs = signal.kind === 'tool-call' ? this.#minWaitMs : LONG_WAIT_MS;
    const isWait = idleMs >= minMs && idleMs >= WAIT_FACTOR * this.#usualMs();
    if (!isWait && this.#lastAt !== null) {
      this.#gapsMs.push(idleMs);
      if (this.#gapsMs.length > SAMPLES) this.#gapsMs.shift();
    }
    this.#lastAt = signal.at;
    this.#busyMs = 0;
    return isWait;
  }

  /** Takes in that a model call begins. */
  request(at: number): void {
    this.#requestedAt ??= at;
  }

  /** Takes in that a model call is over. */
  answer(at: number): void {
    if (this.#requestedAt !== null) this.#busyMs += Math.max(0, at - this.#requestedAt);
    this.#requestedAt = null;
  }

  clear(): void {
    this.#lastAt = null;
    this.#requestedAt = null;
    this.#busyMs = 0;
    this.#gapsMs = [];
  }

  snapshot(): JsonValue {
    return {
      lastAt: this.#lastAt,
      requestedAt: this.#requestedAt,
      busyMs: this.#busyMs,
      gapsMs: [...this.#gapsMs],
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { lastAt, requestedAt, busyMs, gapsMs } = restoredRecord(path, snapshot);
    this.#lastAt = lastAt === null ? null : restoredNumber(`${path}.lastAt`, lastAt);
    this.#requestedAt =
      requestedAt === null ? null : restoredNumber(`${path}.requestedAt`, requestedAt);
    this.#busyMs = restoredNumber(`${path}.busyMs`, busyMs);
    this.#gapsMs = [...restoredNumbers(`${path}.gapsMs`, gapsMs)];
  }

  #usualMs(): number {
    if (this.#gapsMs.length === 0) return FIRST_PACE_MS;
    const sorted = [...this.#gapsMs].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] as number;
  }
}
