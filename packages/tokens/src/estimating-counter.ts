import { countChat } from './chat-overhead.ts';
import { checkText } from './errors.ts';
import type { CountableMessage, TokenCounter } from './token-counter.ts';

const QUARTERS_PER_TOKEN = 4;

/**
 * Estimates tokens from the kinds of characters, for models whose encoding is not known here.
 *
 * Four ASCII characters make a token, or two of the other alphabets, or one of the scripts without spaces; what lies
 * outside Unicode's basic plane, such as emoji, makes two. On English prose that is within a quarter of OpenAI's counts.
 *
 * @example
 * ```ts
 * new EstimatingCounter().count('Hello, world!'); // => 4
 * ```
 */
export class EstimatingCounter implements TokenCounter {
  readonly isEstimate = true;

  count(text: string): number {
    checkText('text', text);
    let quarters = 0;
    for (let index = 0; index < text.length; index += 1) {
      quarters += quartersOf(text.charCodeAt(index));
    }
    return Math.ceil(quarters / QUARTERS_PER_TOKEN);
  }

  countMessages(messages: readonly CountableMessage[]): number {
    return countChat(messages, (text) => this.count(text));
  }
}

/** A surrogate pair weighs 8 quarters, 4 for each half. */
function quartersOf(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x0800 ? 2 : 4;
}
