const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const OTHER_SPACE = /\s/;
const FIRST_SEED = 0x811c9dc5;
const SECOND_SEED = 0x1b873593;
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x85ebca6b;
const LOW_RANGE = 0x1_0000_0000;
const HIGH_BITS = 0x1fffff;
const SUM_RANGE = 0x10_0000_0000_0000;

/** A 53-bit hash of `text`, practically without collisions. Not for secrets. */
export function hashText(text: string): number {
  return hashPart(text, 0, text.length);
}

/** The {@link hashText} of a part of `text`. */
export function hashPart(text: string, from: number, to: number): number {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    first = Math.imul(first ^ code, FIRST_PRIME);
    second = Math.imul(second ^ code, SECOND_PRIME);
  }
  return joinHash(first ^ (second >>> 15), second ^ (first >>> 13));
}

/** Continues `hash` with the units of a text. */
export function hashUnits(hash: number, units: Uint16Array, from: number, to: number): number {
  let first = FIRST_SEED ^ hash;
  let second = SECOND_SEED ^ (hash / LOW_RANGE);
  for (let i = from; i < to; i++) {
    const code = units[i] as number;
    first = Math.imul(first ^ code, FIRST_PRIME);
    second = Math.imul(second ^ code, SECOND_PRIME);
  }
  return joinHash(first ^ (second >>> 15), second ^ (first >>> 13));
}

/** The {@link hashText} of a part of `text` with its white space normalized. */
export function hashWords(text: string, from: number, to: number): number {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  let isStarted = false;
  let isSpaced = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) {
      isSpaced = isStarted;
      continue;
    }
    if (isSpaced) {
      first = Math.imul(first ^ SPACE, FIRST_PRIME);
      second = Math.imul(second ^ SPACE, SECOND_PRIME);
    }
    isSpaced = false;
    isStarted = true;
    first = Math.imul(first ^ code, FIRST_PRIME);
    second = Math.imul(second ^ code, SECOND_PRIME);
  }
  return joinHash(first ^ (second >>> 15), second ^ (first >>> 13));
}

/** Whether a UTF-16 unit is white space; fast for most that are not. */
function isSpace(code: number): boolean {
  if (code > SPACE && code < NO_BREAK_SPACE) return false;
  return (
    code === SPACE || (code >= TAB && code <= RETURN) || OTHER_SPACE.test(String.fromCharCode(code))
  );
}

/** A hash of two hashes; their order matters. */
export function mixHash(a: number, b: number): number {
  let first = Math.imul((a | 0) ^ FIRST_SEED, FIRST_PRIME) ^ (a / LOW_RANGE);
  let second = Math.imul((b | 0) ^ SECOND_SEED, SECOND_PRIME) ^ (b / LOW_RANGE);
  first = Math.imul(first ^ (second >>> 13), SECOND_PRIME);
  second = Math.imul(second ^ (first >>> 16), FIRST_PRIME) + (first | 0);
  return joinHash(first ^ (second >>> 15), second);
}

/** Adds a hash to a sum of hashes; their order does not matter. */
export function addHash(sum: number, hash: number): number {
  // Both stay below 2^52, so that no bits are lost.
  return belowRange(sum + belowRange(hash));
}

/** The remainder of a number below twice the range, without a slow division. */
function belowRange(value: number): number {
  return value < SUM_RANGE ? value : value - SUM_RANGE;
}

/** Two 32-bit halves as one whole number below 2^53. */
export function joinHash(low: number, high: number): number {
  return (high & HIGH_BITS) * LOW_RANGE + (low >>> 0);
}
