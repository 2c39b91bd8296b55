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
  for (const { content, name } of messages) {
    tokens += TOKENS_PER_MESSAGE + count(content);
    if (name !== undefined) tokens += TOKENS_PER_NAME + count(name);
  }
  return tokens;
}
