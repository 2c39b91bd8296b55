import type { LLMMessage } from '../messages.ts';

/** The words of a text: what stands between blanks. */
export function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** How many words a text has. */
export function countWords(text: string): number {
  return splitWords(text).length;
}

/** How many words a prompt has; only messages whose content is a text count, as in AutoGen. */
export function countPromptWords(messages: readonly LLMMessage[]): number {
  let count = 0;
  for (const { content } of messages) if (typeof content === 'string') count += countWords(content);
  return count;
}
