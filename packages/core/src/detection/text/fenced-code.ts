import { hashWords, mixHash } from '../../common/hash.ts';

const FENCE = '```';
const LANGUAGE = /^[a-z]/i;

/**
 * A hash of the code in a text, regardless of white space; 0 if there is none. A fence without the name of a language is a
 * quotation.
 */
export function codeIn(text: string): number {
  let hash = 0;
  for (const [i, part] of text.split(FENCE).entries()) {
    const isCode = i % 2 === 1 && LANGUAGE.test(part);
    if (isCode) hash = mixHash(hash, hashWords(part, 0, part.length));
  }
  return hash;
}
