import { spacedJson } from '@teamfuse/python-compat';
import { InvalidCarryOverType } from '../errors.ts';
import type { ChatMessage } from '../messages/message.ts';

/** The results of earlier chats, passed to a later one: text, or a list whose items become lines. */
export type Carryover = string | readonly unknown[];

/** Returns an opening message with the carryover added; the given message is not changed. */
export function withCarryover(
  message: string | ChatMessage,
  carryover: unknown,
): string | ChatMessage {
  if (isEmpty(carryover)) return message;
  if (typeof message === 'string') return message + contextText(carryover);
  if (typeof message !== 'object' || message === null) {
    throw new InvalidCarryOverType('Carryover should be a string or a list of strings.');
  }
  const { content } = message;
  if (typeof content === 'string') {
    return { ...message, content: content + contextText(carryover) };
  }
  if (!Array.isArray(content)) return message;
  return { ...message, content: [{ type: 'text', text: contextText(carryover) }, ...content] };
}

/** One item of a carryover, as a line of text. */
function carryoverText(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item === 'object' && item !== null && 'content' in item) {
    return typeof item.content === 'string' ? item.content : spacedJson(item.content);
  }
  return spacedJson(item);
}

function contextText(carryover: unknown): string {
  if (typeof carryover === 'string') return `\nContext: \n${carryover}`;
  if (!Array.isArray(carryover)) {
    throw new InvalidCarryOverType(
      'Carryover should be a string or a list of strings. Not adding carryover to the message.',
    );
  }
  return `\nContext: \n${carryover.map(carryoverText).join('\n')}`;
}

function isEmpty(carryover: unknown): boolean {
  return !carryover || (Array.isArray(carryover) && carryover.length === 0);
}
