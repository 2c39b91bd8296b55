import { InvalidSnapshotError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import type { Signal } from '../signal/signal.ts';

/** Deeper chats count as this deep, which bounds the memory. */
const DEEPEST = 64;

/**
 * Estimates the length of the next prompt: everything said, returned and printed so far at one depth of nesting. A nested
 * chat starts with an empty history.
 */
export class HistoryMeter {
  #tokensByDepth: number[] = [];

  observe(signal: Signal, tokens: number): void {
    const depth = level(signal.depth ?? 0);
    if (signal.kind === 'nested-start')
      this.#tokensByDepth.length = Math.min(this.#tokensByDepth.length, depth);
    this.#tokensByDepth[depth] = this.tokens(depth) + tokens;
  }

  tokens(depth: number): number {
    return this.#tokensByDepth[level(depth)] ?? 0;
  }

  reset(): void {
    this.#tokensByDepth = [];
  }

  snapshot(): JsonValue {
    return Array.from(this.#tokensByDepth, (tokens) => tokens ?? 0);
  }

  restore(snapshot: JsonValue): void {
    const isKnown = Array.isArray(snapshot) && snapshot.length <= DEEPEST + 1;
    if (!isKnown || !snapshot.every((tokens) => Number.isFinite(tokens) && Number(tokens) >= 0)) {
      throw new InvalidSnapshotError('history', 'an array of numbers', snapshot);
    }
    this.#tokensByDepth = [...(snapshot as number[])];
  }
}

function level(depth: number): number {
  return Math.min(depth, DEEPEST);
}
