import { hashWords, mixHash } from '../../common/hash.ts';

const FENCE = '```';
const LANGUAGE = /^[a-z]/i;

/**
 * A hash of the code in a text, regardless of white space; 0 if there is none. A fence without the name of a language is a
 * quotation.
 */
export function codeIn(text: string): number {
  let fence = text.indexOf(FENCE);
  let hash = 0;
  while (fence >= 0) {
    const from = fence + FENCE.length;
    const closing = text.indexOf(FENCE, from);
    const to = closing < 0 ? text.length : closing;
    if (LANGUAGE.test(text.charAt(from))) hash = mixHash(hash, hashWords(text, from, to));
    fence = closing < 0 ? closing : text.indexOf(FENCE, closing + FENCE.length);
  }
  return hash;
}
