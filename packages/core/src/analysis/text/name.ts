import { classify, DIGIT, LETTER } from './script.ts';

/** What a number or an id is hashed as where its value does not count. */
export const MASK = 0x23;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** Names at least this long that are hexadecimal throughout are ids. */
const MIN_ID_LENGTH = 8;
const COMMA = 0x2c;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const LETTER_F = 0x66;

/** What a name is hashed as where values do not count: ids and points in time are all alike, others lose their digits. @internal */
export function maskedName(text: string, from: number, to: number): number {
  let hash = SEED;
  let letters = 0;
  let digits = 0;
  let dashes = 0;
  let isHexadecimal = true;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const type = classify(code);
    if (type === DIGIT) {
      digits++;
      continue;
    }
    hash = Math.imul(hash ^ code, PRIME);
    if (code === DASH || code === COLON) {
      dashes++;
      continue;
    }
    if (type === LETTER) letters++;
    if (type !== LETTER || code > LETTER_F) isHexadecimal = false;
  }
  const isId = isHexadecimal && digits > 0 && to - from >= MIN_ID_LENGTH;
  const isMoment = digits >= MIN_ID_LENGTH && dashes >= 2 && letters <= 2;
  return isId || isMoment ? MASK : hash;
}

/** Whether the joiner at `i` holds together what stands left and right of it. @internal */
export function joins(text: string, i: number, code: number, length: number): boolean {
  if (i + 1 >= length) return false;
  const right = classify(text.charCodeAt(i + 1));
  if (right !== LETTER && right !== DIGIT) return false;
  if (code !== COMMA && code !== COLON && code !== DASH && code !== DOT) return true;
  const left = classify(text.charCodeAt(i - 1));
  if (code === DOT) return left === LETTER || left === DIGIT;
  if (code === DASH) return left === DIGIT || right === DIGIT;
  return left === DIGIT && right === DIGIT;
}
