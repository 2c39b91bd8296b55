import { tellMessage } from '../transcript/chat-messages.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, listOf, nameIn, recordsOf } from '../transcript/values.ts';
import { type Format, valueFormat } from './format.ts';

const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

/** Message lists of the chat-completions shape, with tool calls: an array, or `{ messages }`. */
export const openaiMessages: Format = valueFormat(
  'openai-messages',
  'OpenAI chat messages',
  (value, name) => {
    const list = Array.isArray(value) ? value : fieldsOf(value)?.messages;
    const messages = recordsOf(list);
    if (!messages.some(isMessage) || messages.length < listOf(list).length) return undefined;
    const transcript = new Transcript();
    let isTask = true;
    for (const message of messages) {
      // The first that is no instruction is the task, whoever wrote it.
      const isFirst = isTask && message.role === 'user';
      tellMessage(message, transcript, isFirst);
      if (isFirst || message.role === 'assistant') isTask = false;
    }
    return [{ id: nameIn(fieldsOf(value)?.id) ?? name, signals: transcript.take() }];
  },
);

function isMessage(message: Fields): boolean {
  const isSaying = 'content' in message || 'tool_calls' in message || 'function_call' in message;
  return ROLES.includes(message.role) && isSaying && !('type' in message);
}
