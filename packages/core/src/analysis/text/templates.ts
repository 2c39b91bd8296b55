import type { JsonValue } from '../../json.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredList, restoredNumber, restoredNumbers } from '../restored.ts';
import type { TextReader } from './text-reader.ts';

const MAX_TEMPLATES = 256;
/** A text that is said again with other numbers in it is a template if there is this much else to it. */
const MIN_WORDS = 4;
const MAX_NUMBERS = 3;
const MAX_SHARE = 0.25;
/** A value that is a smaller part of a text than this is not what the text is about. */
const MIN_SHARE = 0.05;
/** From here on a number is rather an id than a measurement. */
const MIN_ID = 1000;
/** In two steps an amount comes down by less than this share of it. */
const MAX_FALL = 0.25;

interface Filled {
  readonly numbers: readonly number[];
  readonly steps: readonly number[];
}

/** What the numbers in a template are: nothing special, a counter, an id, or a value that moves. */
export type Filling = 'plain' | 'counter' | 'id' | 'value';

/** Follows texts that are said again and again with other numbers in them. */
export class Templates {
  readonly #filled: RecentMap<number, Filled> = new RecentMap(MAX_TEMPLATES);

  /** Says what the numbers in the text that `reader` has read are. `key` is equal for all fillings of a template. */
  fill(key: number, reader: TextReader): Filling {
    const { numbers, count } = reader;
    const isTemplate =
      numbers.length > 0 &&
      count - numbers.length >= MIN_WORDS &&
      numbers.length <= MAX_NUMBERS &&
      numbers.length <= MAX_SHARE * count;
    if (!isTemplate) return 'plain';
    const before = this.#filled.get(key);
    const steps = numbers.map((number, i) => number - (before?.numbers[i] ?? number));
    this.#filled.set(key, { numbers: [...numbers], steps });
    if (before === undefined || steps.every((step) => step === 0)) return 'plain';
    if (steps.every((step) => step === 0 || step === 1)) return 'counter';
    const moving = steps.filter((step, i) => isValue(numbers[i] ?? 0, step, before.steps[i] ?? 0));
    return moving.length > 0 && moving.length >= MIN_SHARE * count ? 'value' : 'id';
  }

  clear(): void {
    this.#filled.clear();
  }

  snapshot(): JsonValue {
    return this.#filled
      .entries()
      .map(([key, { numbers, steps }]) => [key, [...numbers], [...steps]]);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#filled.clear();
    for (const entry of restoredList(path, snapshot)) {
      const [key, numbers, steps] = restoredList(path, entry);
      this.#filled.set(restoredNumber(path, key), {
        numbers: restoredNumbers(path, numbers),
        steps: restoredNumbers(path, steps),
      });
    }
  }
}

/** What goes up evenly can be told beforehand and says nothing; so does an id. */
function isValue(number: number, step: number, lastStep: number): boolean {
  if (isFalling(number, step, lastStep)) return true;
  if (step === 0 || step === 1 || step === lastStep) return false;
  return Math.abs(number) < MIN_ID || !Number.isInteger(number);
}

/** Ids are drawn at random or count up: what comes down bit by bit is an amount, and comes to an end. */
function isFalling(number: number, step: number, lastStep: number): boolean {
  return step < -1 && lastStep < -1 && -step - lastStep <= MAX_FALL * number;
}
