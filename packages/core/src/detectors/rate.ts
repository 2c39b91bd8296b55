import { RecentMap } from '../analysis/recent-map.ts';
import {
  restoredList,
  restoredNumber,
  restoredNumbers,
  restoredRecord,
  restoredText,
} from '../analysis/restored.ts';
import type { Failure, Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import { InvalidOptionError } from '../errors.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { finite, integer } from '../options.ts';
import type { Signal, SignalKind } from '../signal/signal.ts';
import { SIGNAL_KINDS } from '../signal/signal-fields.ts';
import { LatestIndices } from './latest-indices.ts';

/** Options of {@link RateDetector}. */
export interface RateOptions {
  /**
   * How many failures in a row, each right after the one before, trip.
   * @defaultValue 5
   */
  readonly limit?: number;
  /**
   * Milliseconds after a failure within which trying again is no pause.
   * @defaultValue 1000
   */
  readonly pauseMs?: number;
  /** How often things may happen at most, by declaration. */
  readonly rates?: readonly DeclaredRate[];
}

/** More than `max` signals of one kind within any `perMs` milliseconds are too many. */
export interface DeclaredRate {
  readonly signal: SignalKind;
  readonly max: number;
  readonly perMs: number;
}

interface Row {
  readonly at: number;
  /** Those that followed each other without a pause. */
  readonly indices: readonly number[];
  /** The very same step each time, turned away, without a wait. */
  readonly refused: readonly number[];
  readonly command: number;
}

const MAX_ROWS = 128;
const MAX_RATE = 10_000;
/** Less is no wait, whatever is said about it, for somebody who was turned away. */
const WAIT_MS = 5000;
/** So many times as many are too many then. */
const REFUSED_FACTOR = 2;

/**
 * Trips when a failing step is tried again without a pause, or when a declared rate is exceeded.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new RateDetector({ rates: [{ signal: 'message', max: 1, perMs: 1000 }] });
 * const say = (at: number) =>
 *   detector.observe(analyzer.observe({ kind: 'message', at, agent: 'bot', text: `${at}` }))?.kind;
 * say(0); // => undefined
 * say(1000); // => undefined
 * say(1500); // => 'rate'
 * ```
 */
export class RateDetector implements Detector {
  readonly kind = 'rate';
  readonly #limit: number;
  readonly #pauseMs: number;
  readonly #rates: readonly DeclaredRate[];
  readonly #failing: RecentMap<string, Row> = new RecentMap(MAX_ROWS);
  /** For each declared rate, the times of the latest signals. */
  #times: number[][];
  /** For each declared rate, where they were. */
  #places: readonly LatestIndices[];

  /** @throws {@link InvalidOptionError} */
  constructor({ limit = 5, pauseMs = 1000, rates = [] }: RateOptions = {}) {
    this.#limit = integer('rate.limit', limit, 2, 1000);
    this.#pauseMs = finite('rate.pauseMs', pauseMs, 0);
    this.#rates = rates.map(({ signal, max, perMs }) => {
      if (!SIGNAL_KINDS.includes(signal)) {
        throw new InvalidOptionError('rate.rates.signal', SIGNAL_KINDS.join(', '), signal);
      }
      return {
        signal,
        max: integer('rate.rates.max', max, 0, MAX_RATE),
        perMs: finite('rate.rates.perMs', perMs, 1),
      };
    });
    this.#times = this.#rates.map(() => []);
    this.#places = this.#rates.map(() => new LatestIndices());
  }

  observe(step: Step): Finding | undefined {
    return this.#hammering(step) ?? this.#exceeded(step);
  }

  reset(): void {
    this.#failing.clear();
    this.#times = this.#rates.map(() => []);
    for (const places of this.#places) places.clear();
  }

  snapshot(): JsonValue {
    return {
      failing: this.#failing
        .entries()
        .map(([key, { at, indices, refused, command }]) => [
          key,
          at,
          [...indices],
          [...refused],
          command,
        ]),
      times: this.#times.map((times) => [...times]),
      places: this.#places.map((places) => places.snapshot()),
    };
  }

  restore(snapshot: JsonValue): void {
    const { failing, times, places } = restoredRecord('rate', snapshot);
    this.#failing.clear();
    for (const entry of restoredList('rate.failing', failing)) {
      const [key, at, indices, refused, command] = restoredList('rate.failing', entry);
      this.#failing.set(restoredText('rate.failing', key), {
        at: restoredNumber('rate.failing', at),
        indices: restoredNumbers('rate.failing', indices),
        refused: restoredNumbers('rate.failing', refused),
        command: restoredNumber('rate.failing', command),
      });
    }
    const lists = restoredList('rate.times', times);
    this.#times = this.#rates.map((_, i) => [...restoredNumbers('rate.times', lists[i])]);
    const latest = restoredList('rate.places', places);
    for (const [i, one] of this.#places.entries()) one.restore('rate.places', latest[i]);
  }

  #hammering({ signal, index, isPerson, failure, success }: Step): Finding | undefined {
    if (isPerson) this.#failing.clear();
    if (success !== undefined) this.#failing.delete(rowKey(signal, success.target));
    if (failure === undefined) return undefined;
    const key = rowKey(signal, failure.target);
    const row = this.#failing.get(key);
    const began = signal.at - ('durationMs' in signal ? (signal.durationMs ?? 0) : 0);
    const pauseMs = began - (row?.at ?? Number.NEGATIVE_INFINITY);
    const indices = pauseMs < this.#pauseMs ? (row?.indices ?? []) : [];
    const isSame = row?.command === failure.command && pauseMs < WAIT_MS;
    const refused = isSame ? (row?.refused ?? []) : [];
    const maxRefused = REFUSED_FACTOR * this.#limit;
    const now: Row = {
      at: signal.at,
      indices: [...indices, index].slice(-this.#limit),
      refused: failure.isRefusal ? [...refused, index].slice(-maxRefused) : [],
      command: failure.command,
    };
    this.#failing.set(key, now);
    if (now.indices.length === this.#limit) {
      return this.#tried(signal, failure, now.indices, 'without a pause');
    }
    if (now.refused.length < maxRefused) return undefined;
    return this.#tried(signal, failure, now.refused, 'without waiting');
  }

  #tried(
    { agent }: Signal,
    { target, category }: Failure,
    indices: readonly number[],
    how: string,
  ): Finding {
    return {
      level: 'trip',
      kind: this.kind,
      reason: `${agent} tried ${target} ${indices.length} times ${how}, and it failed with ${category}`,
      evidence: {
        agents: [agent],
        indices,
        count: indices.length,
        limit: indices.length,
        subject: target,
      },
    };
  }

  #exceeded({ signal, index }: Step): Finding | undefined {
    let found: Finding | undefined;
    for (const [i, { signal: kind, max, perMs }] of this.#rates.entries()) {
      if (kind !== signal.kind) continue;
      const times = this.#times[i] as number[];
      times.push(signal.at);
      const places = this.#places[i] as LatestIndices;
      places.note(index);
      if (times.length > max + 1) times.shift();
      const isFast = times.length > max && signal.at - (times[0] as number) < perMs;
      if (!isFast || found !== undefined) continue;
      found = {
        level: 'trip',
        kind: this.kind,
        reason: `more than ${max} of '${kind}' within ${perMs} ms`,
        evidence: {
          agents: [signal.agent],
          indices: places.latest(max + 1),
          count: max + 1,
          limit: max,
          subject: kind,
        },
      };
    }
    return found;
  }
}

function rowKey({ agent }: Signal, target: string): string {
  return `${agent}\n${target}`;
}
