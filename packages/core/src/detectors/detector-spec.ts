import { InvalidOptionError } from '../errors.ts';
import type { DetectorKind } from '../finding.ts';
import type { OptionTable } from '../option-table.ts';
import { reading } from '../options.ts';

/** Describes a detector; its class is in the same file. */
export interface DetectorSpec<T, Undefined extends keyof T = never> {
  /** The name of its option. */
  readonly name: string;
  /** The kind of its findings. */
  readonly kind: DetectorKind;
  /** What its findings mean. */
  readonly meaning: string;
  /** How to avoid a false alarm; `{limit}` becomes the name of that option with its default. */
  readonly advice: string;
  readonly options: OptionTable<T, Undefined>;
}

/** Settings that all detectors share. */
export interface Setting {
  /** Multiplies the defaults. */
  readonly factor: number;
  /** After how many laps a repetition is certain. */
  readonly laps: number;
}

export const NORMAL: Setting = { factor: 1, laps: 3 };

/** Copies a detector's options, so that an unreadable one fails before any is used. */
export function givenOf<T extends object>(
  name: string,
  options: T | false | undefined,
): T | false | undefined {
  if (options === undefined || options === false) return options;
  const expected = 'an object, or false';
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError(name, expected, options);
  }
  return reading(name, expected, options, () => ({ ...options }));
}
