import { STEP_CODE_LENGTH } from '../../judgement.ts';
import { hashWords, mixHash } from '../hash.ts';

const FENCE = '```';
const LANGUAGE = /^[a-z]/i;

/** The code in a text. */
export interface FencedCode {
  /** Equal for code that differs in white space alone; 0 if there is none. */
  readonly hash: number;
  /** Whether it is short enough to be a step of its own. */
  readonly isStep: boolean;
}

const NO_CODE: FencedCode = { hash: 0, isStep: false };

/** Reads the code in a text. What is fenced in without the name of a language is a quotation. @internal */
export function codeIn(text: string): FencedCode {
  let fence = text.indexOf(FENCE);
  if (fence < 0) return NO_CODE;
  let hash = 0;
  let length = 0;
  while (fence >= 0) {
    const from = fence + FENCE.length;
    const closing = text.indexOf(FENCE, from);
    const to = closing < 0 ? text.length : closing;
    if (LANGUAGE.test(text.charAt(from))) {
      hash = mixHash(hash, hashWords(text, from, to));
      length += to - from;
    }
    fence = closing < 0 ? closing : text.indexOf(FENCE, closing + FENCE.length);
  }
  return { hash, isStep: length <= STEP_CODE_LENGTH };
}
