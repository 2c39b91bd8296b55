import { NAME, PLAIN } from './token.ts';

/** The sign that makes a line an equation. */
export const EQUALS = 0x3d;
const SIDE_SEED = 0x811c9dc5 | 0;
const TOKEN_SEED = 0x1b873593;
const PRIME = 0x85ebca6b | 0;
const MIN_FIGURES = 2;
/** With more words among its tokens a line with an equals sign is a sentence. */
const MAX_WORDS = 0.25;

/**
 * The hash of the tokens from `from` to `to`, if they are a formula: what stands on which side is what it says. Sums,
 * products and sides may be turned round.
 * @internal
 */
export function formulaIn(
  tokens: Int32Array,
  types: Uint8Array,
  from: number,
  to: number,
): number | undefined {
  let figures = 0;
  let words = 0;
  let side = 0;
  let hash = 0;
  for (let i = from; i < to; i++) {
    const token = tokens[i] as number;
    const type = types[i] as number;
    if (type >= NAME) figures++;
    else if (type !== PLAIN) words++;
    if (token === EQUALS) {
      hash += Math.imul(side ^ SIDE_SEED, PRIME);
      side = 0;
    } else {
      side = (side + Math.imul(token ^ TOKEN_SEED, PRIME)) | 0;
    }
  }
  hash = (hash + Math.imul(side ^ SIDE_SEED, PRIME)) | 0;
  return figures >= MIN_FIGURES && words <= MAX_WORDS * (to - from) ? hash : undefined;
}
