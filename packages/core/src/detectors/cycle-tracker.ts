import { restoredNumber, restoredNumbers, restoredRecord } from '../analysis/restored.ts';
import type { JsonValue } from '../json.ts';

/** A stretch that came again and again. */
export interface Cycle {
  /** Length of one round. */
  readonly period: number;
  /** Indices of the signals of all rounds, oldest first. */
  readonly indices: readonly number[];
}

/** Follows a row of fingerprints and says when its end is the same stretch over and over. */
export class CycleTracker {
  readonly #rounds: number;
  readonly #maxPeriod: number;
  readonly #keys: Float64Array;
  readonly #indices: Float64Array;
  /** For each period, how many fingerprints in a row equalled the one a period before. */
  readonly #runs: Int32Array;
  #hasRuns = false;
  #count = 0;

  constructor(rounds: number, maxPeriod: number) {
    this.#rounds = rounds;
    this.#maxPeriod = maxPeriod;
    this.#keys = new Float64Array(maxPeriod);
    this.#indices = new Float64Array(rounds * maxPeriod);
    this.#runs = new Int32Array(maxPeriod + 1);
  }

  /** Takes the next fingerprint in, and gives the shortest stretch with which the row has ended so many times. */
  observe(key: number, index: number): Cycle | undefined {
    const size = this.#maxPeriod;
    const known = Math.min(this.#count, size);
    const next = this.#count % size;
    let found = 0;
    if (this.#has(key, known)) {
      for (let period = 1, at = next; period <= known; period++) {
        at = at === 0 ? size - 1 : at - 1;
        const run = this.#keys[at] === key ? (this.#runs[period] as number) + 1 : 0;
        this.#runs[period] = run;
        if (found === 0 && run >= (this.#rounds - 1) * period) found = period;
      }
      this.#hasRuns = true;
    } else if (this.#hasRuns) {
      this.#runs.fill(0);
      this.#hasRuns = false;
    }
    this.#keys[next] = key;
    this.#indices[this.#count % this.#indices.length] = index;
    this.#count++;
    if (found === 0) return undefined;
    return { period: found, indices: this.#lastIndices(this.#rounds * found) };
  }

  clear(): void {
    this.#count = 0;
    this.#runs.fill(0);
  }

  snapshot(): JsonValue {
    return {
      count: this.#count,
      keys: [...this.#keys],
      indices: [...this.#indices],
      runs: [...this.#runs],
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { count, keys, indices, runs } = restoredRecord(path, snapshot);
    this.#count = restoredNumber(`${path}.count`, count);
    fill(this.#keys, restoredNumbers(`${path}.keys`, keys));
    fill(this.#indices, restoredNumbers(`${path}.indices`, indices));
    fill(this.#runs, restoredNumbers(`${path}.runs`, runs));
    this.#hasRuns = true;
  }

  /** Whether `key` is one of those known: mostly not, and looking is all there is to do then. */
  #has(key: number, known: number): boolean {
    for (let at = 0; at < known; at++) if (this.#keys[at] === key) return true;
    return false;
  }

  #lastIndices(length: number): number[] {
    const indices: number[] = [];
    for (let back = length; back > 0; back--) {
      indices.push(this.#indices[(this.#count - back) % this.#indices.length] as number);
    }
    return indices;
  }
}

function fill(target: Float64Array | Int32Array, values: readonly number[]): void {
  for (let i = 0; i < target.length; i++) target[i] = values[i] ?? 0;
}
