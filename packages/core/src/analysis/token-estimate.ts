import { textOf } from '../options.ts';

/** Characters of an alphabetic script that make one token, on average over prose and code. */
const CHARACTERS_PER_TOKEN = 4;
/** The scripts from here on (Kana, Han, Hangul) give about a token a character. */
const FIRST_DENSE_CODE = 0x3040;
const DENSE = /[\u3040-\uffff]/;

/**
 * Roughly how many tokens `text` has, where nobody counted: a quarter of its alphabetic characters, and one for each
 * character of the scripts that are written without spaces.
 */
export function estimateTokens(text: string): number {
  textOf('text', text);
  // Most texts have none, which an expression finds out far faster than a loop.
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
