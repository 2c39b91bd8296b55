import { textOf } from '../../common/options.ts';

/** Alphabetic characters per token, on average over prose and code. */
const CHARACTERS_PER_TOKEN = 4;
/** From here on (Kana, Han, Hangul), a character is about one token. */
const FIRST_DENSE_CODE = 0x3040;
const DENSE = /[\u3040-\uffff]/;

/**
 * Estimates the tokens of `text`: a quarter of its alphabetic characters, and one for each character of scripts that are
 * written without spaces.
 */
export function estimateTokens(text: string): number {
  textOf('text', text);
  // Most texts have none; an expression checks that much faster than a loop.
  const dense = DENSE.test(text) ? countDense(text) : 0;
  return dense + Math.ceil((text.length - dense) / CHARACTERS_PER_TOKEN);
}

function countDense(text: string): number {
  let dense = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= FIRST_DENSE_CODE) dense++;
  }
  return dense;
}
