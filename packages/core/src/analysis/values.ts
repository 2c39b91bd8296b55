import type { JsonValue } from '../json.ts';
import { list, number, record, type Stateful } from '../state/codec.ts';
import { RecentMap } from './recent-map.ts';

const MAX_FRAMES = 512;
const MAX_NUMBERS = 64;

interface Filling {
  readonly numbers: readonly number[];
  readonly steps: readonly number[];
}

/**
 * How the numbers in a text have changed since the same text came last with others: it did not come yet, they are the
 * same, they only count up, or they are values that move.
 */
export type Change = 'first' | 'same' | 'counting' | 'moved';

/** Follows texts that are said again with other numbers in them. */
export class Values implements Stateful {
  readonly #fillings: RecentMap<number, Filling> = new RecentMap(
    MAX_FRAMES,
    number,
    record<Filling>({ numbers: list(number, MAX_NUMBERS), steps: list(number, MAX_NUMBERS) }),
  );

  /** Takes in the numbers of a text that is known by its `frame`. */
  change(frame: number, numbers: readonly number[]): Change {
    const before = this.#fillings.get(frame);
    if (before === undefined) {
      this.#fillings.set(frame, { numbers: [...numbers], steps: [] });
      return 'first';
    }
    const steps = numbers.map((value, i) => value - (before.numbers[i] ?? value));
    if (steps.every((step) => step === 0)) return 'same';
    this.#fillings.set(frame, { numbers: [...numbers], steps: steps.map(finite) });
    const changed = steps.filter((step) => step !== 0);
    const isRegular = changed.length === 1 && steps.every((step, i) => step === before.steps[i]);
    const isCounting =
      changed.every((step) => step === 1) || (isRegular && (changed[0] as number) > 0);
    return isCounting ? 'counting' : 'moved';
  }

  clear(): void {
    this.#fillings.clear();
  }

  snapshot(): JsonValue {
    return this.#fillings.snapshot();
  }

  restore(path: string, json: unknown): void {
    this.#fillings.restore(path, json);
  }
}

/** A step beyond all numbers cannot be kept as JSON. */
function finite(step: number): number {
  return Number.isFinite(step) ? step : 0;
}
