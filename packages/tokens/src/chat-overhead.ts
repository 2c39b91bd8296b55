import { checkText, TokenError } from './errors.ts';
import type { CountableMessage } from './token-counter.ts';

// What OpenAI documents for its chat models ("How to count tokens with tiktoken", OpenAI cookbook).
const TOKENS_PER_MESSAGE = 3;
const TOKENS_PER_NAME = 1;
const TOKENS_BEFORE_REPLY = 3;

/** Tokens of a prompt, given how to count a text. */
export function countChat(
  messages: readonly CountableMessage[],
  count: (text: string) => number,
): number {
  let tokens = TOKENS_BEFORE_REPLY;
  for (const { content, name } of read(messages)) {
    tokens += TOKENS_PER_MESSAGE + count(content);
    if (name !== undefined) tokens += TOKENS_PER_NAME + count(name);
  }
  return tokens;
}

/** Copies of the messages, so that what cannot be read fails here. */
function read(messages: readonly CountableMessage[]): readonly CountableMessage[] {
  try {
    // An object that is no list would be an empty prompt.
    if (!(Symbol.iterator in messages)) throw new TypeError('no list');
    return Array.from(messages, ({ content, name }, index) => {
      checkText(`messages[${index}].content`, content);
      if (name === undefined) return { content };
      checkText(`messages[${index}].name`, name);
      return { content, name };
    });
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError('messages: expected an array of messages with a content');
  }
}
