import type { Signal } from '../../signal/signal.ts';
import { type Codec, list, nullable, number, record, text } from '../../state/codec.ts';
import { Saved } from '../../state/stateful.ts';
import { LONG_WAIT_MS, WAIT_FACTOR } from '../judgement.ts';

const SAMPLES = 9;

interface Pace {
  lastAt: number | null;
  requestedAt: number | null;
  /** How long models have answered and steps were held, since the last step, in all, and until when. */
  busyMs: number;
  allBusyMs: number;
  busyTo: number | null;
  gapsMs: number[];
  /** When the model of an agent last answered, or that agent last spoke. */
  answeredAt: number | null;
  answeredBy: string;
}

const PACE: Codec<Pace> = record<Pace>({
  lastAt: nullable(number),
  requestedAt: nullable(number),
  busyMs: number,
  allBusyMs: number,
  busyTo: nullable(number),
  gapsMs: list(number, SAMPLES),
  answeredAt: nullable(number),
  answeredBy: text,
});

/** Tracks the pauses between steps, to distinguish waiting from working. */
export class IdleGapTracker extends Saved<Pace> {
  readonly #minWaitMs: number;

  constructor(minWaitMs: number) {
    super(PACE, () => ({
      lastAt: null,
      requestedAt: null,
      busyMs: 0,
      allBusyMs: 0,
      busyTo: null,
      gapsMs: [],
      answeredAt: null,
      answeredBy: '',
    }));
    this.#minWaitMs = minWaitMs;
  }

  /**
   * Whether the team waited before this step, or so long that everything resets. The duration of a step or a model call is not
   * a wait.
   */
  step(signal: Signal): 'no' | 'wait' | 'long' {
    const { lastAt, gapsMs } = this.state;
    const tookMs = 'durationMs' in signal ? (signal.durationMs ?? 0) : 0;
    const gapMs = this.#gapAt(signal.at, tookMs);
    const minMs = signal.kind === 'tool-call' ? this.#minWaitMs : LONG_WAIT_MS;
    const isWait = lastAt !== null && gapMs >= minMs && gapMs >= WAIT_FACTOR * usual(gapsMs);
    const isUsual = !isWait && lastAt !== null;
    if (isUsual && gapsMs.push(gapMs) > SAMPLES) gapsMs.shift();
    this.state.lastAt = signal.at;
    this.state.busyMs = 0;
    if (!isWait) return 'no';
    return gapMs >= LONG_WAIT_MS ? 'long' : 'wait';
  }

  /** Whether a step at this time would follow a pause so long that everything resets. Changes nothing. */
  isLongAt(at: number): boolean {
    const gapMs = this.#gapAt(at, 0);
    const minMs = Math.max(LONG_WAIT_MS, this.#minWaitMs);
    return gapMs >= minMs && gapMs >= WAIT_FACTOR * usual(this.state.gapsMs);
  }

  #gapAt(at: number, tookMs: number): number {
    const { lastAt, busyMs } = this.state;
    return lastAt === null ? 0 : Math.max(0, at - lastAt - Math.max(tookMs, busyMs));
  }

  /** How long nobody had done or said anything when this step began; 0 for one that does not say how long it took. */
  quietMs(signal: Signal): number {
    const tookMs = 'durationMs' in signal ? signal.durationMs : undefined;
    return tookMs === undefined ? 0 : this.quietAt(signal.at - tookMs);
  }

  /** How long nobody has done or said anything at this time, and no model has answered. */
  quietAt(at: number): number {
    const { lastAt, answeredAt, busyMs } = this.state;
    return Math.max(0, at - Math.max(lastAt ?? at, answeredAt ?? 0) - busyMs);
  }

  /** Notes the start of a model call. */
  request(at: number): void {
    this.state.requestedAt ??= at;
  }

  /** Notes the end of a model call. */
  answer({ at, agent }: Signal): void {
    const { requestedAt } = this.state;
    if (requestedAt !== null) this.#busy(requestedAt, at);
    this.state.requestedAt = null;
    this.#note(at, agent);
  }

  /** Notes that a step was held up. The model that asked for it has not taken that time. */
  held(from: number, to: number): void {
    const heldMs = this.#busy(from, to);
    const { answeredAt } = this.state;
    if (answeredAt !== null) this.state.answeredAt = answeredAt + heldMs;
  }

  /** A time by a clock that stands still while models answer and steps are held up. */
  freeAt(at: number): number {
    return at - this.state.allBusyMs;
  }

  /** Adds what of this time has not been counted, and returns how much that is. */
  #busy(from: number, to: number): number {
    const { busyTo } = this.state;
    const ms = Math.max(0, to - Math.max(from, busyTo ?? from));
    this.state.busyMs += ms;
    this.state.allBusyMs += ms;
    this.state.busyTo = Math.max(to, busyTo ?? to);
    return ms;
  }

  /** Milliseconds that a step took, as it says or as can be told from the answer of the model before it. */
  tookMs(signal: Signal): number {
    const { answeredAt, answeredBy } = this.state;
    const { at, agent, kind } = signal;
    const sinceMs = answeredAt === null || answeredBy !== agent ? 0 : Math.max(0, at - answeredAt);
    this.#note(kind === 'message' ? at : null, agent);
    return 'durationMs' in signal ? (signal.durationMs ?? sinceMs) : sinceMs;
  }

  #note(answeredAt: number | null, answeredBy: string): void {
    this.state.answeredAt = answeredAt;
    this.state.answeredBy = answeredBy;
  }
}

function usual(gapsMs: readonly number[]): number {
  return [...gapsMs].sort((a, b) => a - b)[gapsMs.length >> 1] ?? 0;
}
