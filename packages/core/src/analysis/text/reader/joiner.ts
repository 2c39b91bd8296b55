import { classify, DIGIT, LETTER } from './script.ts';

const COMMA = 0x2c;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;

/** Whether the joiner at `i` joins its neighbours into one word, which may already have digits. @internal */
export function joins(units: Uint16Array, i: number, hasDigits: boolean): boolean {
  const right = classify(units[i + 1] as number);
  if (right !== LETTER && right !== DIGIT) return false;
  const code = units[i];
  if (code === DASH) return hasDigits || right === DIGIT;
  if (code !== COMMA && code !== COLON && code !== DOT) return true;
  const left = classify(units[i - 1] as number);
  if (code === DOT) return left === LETTER || left === DIGIT;
  return left === DIGIT && right === DIGIT;
}
