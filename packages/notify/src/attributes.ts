import { InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';

/** What every message says of its sender, such as the name of the team. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

const MAX_ATTRIBUTES = 20;
const EXPECTED = `an object of at most ${MAX_ATTRIBUTES} texts, finite numbers, true or false`;

/** A checked copy. @throws {@link InvalidOptionError} */
export function attributesIn(given: Attributes): Attributes {
  return orInvalid('attributes', EXPECTED, given, () => {
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    const entries = isObject ? Object.entries(given) : [];
    const isRight = entries.length <= MAX_ATTRIBUTES && entries.every(([, one]) => isValue(one));
    if (!isObject || !isRight) throw new InvalidOptionError('attributes', EXPECTED, given);
    return Object.fromEntries(entries);
  });
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
