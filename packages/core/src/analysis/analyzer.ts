import { InvalidSnapshotError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { integer } from '../options.ts';
import type { Signal } from '../signal.ts';
import { hashText } from './hash.ts';
import type { Step } from './step.ts';

/** Options of {@link Analyzer}. */
export interface AnalyzerOptions {
  /**
   * How many different things said, called or run are remembered, to tell what is new.
   * @defaultValue 512
   */
  readonly memorySignals?: number;
}

/** Reads each signal once for all detectors: what it is, and whether it brings anything new. */
export class Analyzer {
  readonly #memorySignals: number;
  #index = 0;
  readonly #seen: Set<number> = new Set();

  constructor({ memorySignals = 512 }: AnalyzerOptions = {}) {
    this.#memorySignals = integer('memorySignals', memorySignals, 1);
  }

  /** Takes the next signal in. Never throws on a valid signal. */
  observe(signal: Signal): Step {
    return { index: this.#index++, signal, isProgress: this.#isNew(signal) };
  }

  /** Forgets everything: equal to a new analyzer with the same options. */
  reset(): void {
    this.#index = 0;
    this.#seen.clear();
  }

  /** The whole state as plain JSON. */
  snapshot(): JsonValue {
    return { index: this.#index, seen: [...this.#seen] };
  }

  /**
   * Takes a {@link Analyzer.snapshot} back.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void {
    const { index, seen } = Object(snapshot);
    if (!Number.isSafeInteger(index) || index < 0) {
      throw new InvalidSnapshotError('analyzer.index', 'a whole number of at least 0', index);
    }
    if (!Array.isArray(seen) || !seen.every(Number.isSafeInteger)) {
      throw new InvalidSnapshotError('analyzer.seen', 'an array of hashes', seen);
    }
    this.#index = index;
    this.#seen.clear();
    for (const hash of seen) this.#seen.add(hash);
  }

  #isNew(signal: Signal): boolean {
    const content = contentOf(signal);
    if (content === undefined) return signal.kind === 'human-input';
    const hash = hashText(content);
    const isNew = !this.#seen.delete(hash);
    this.#seen.add(hash);
    if (this.#seen.size > this.#memorySignals) {
      for (const oldest of this.#seen) {
        this.#seen.delete(oldest);
        break;
      }
    }
    return isNew;
  }
}

function contentOf(signal: Signal): string | undefined {
  switch (signal.kind) {
    case 'message':
      return signal.text.trim() === '' ? undefined : signal.text;
    case 'execution':
      return signal.exitCode === 0 ? `${signal.code}\n${signal.output}` : undefined;
    case 'tool-call':
      if (signal.error !== undefined) return undefined;
      return `${signal.tool}${JSON.stringify(signal.args)}${JSON.stringify(signal.result)}`;
    default:
      return undefined;
  }
}
