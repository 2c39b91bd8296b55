import { tellMessage } from '../transcript/chat-messages.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, listOf, nameIn, recordsOf } from '../transcript/values.ts';
import { type Format, type Named, valueFormat } from './format.ts';

/** Chat histories of AutoGen 0.2: `ChatResult`s, `groupchat.messages`, or arrays of messages that say who spoke. */
export const autogen02Chat: Format = valueFormat(
  'autogen-0.2-chat',
  'a chat history of AutoGen 0.2',
  (value, name) => {
    const chats = chatsIn(value);
    if (chats.length === 0) return undefined;
    return chats.map(({ id, messages }, i) =>
      toNamed(id, messages, i === 0 ? name : `${name}#${i + 1}`),
    );
  },
);

interface Chat {
  readonly id: string | undefined;
  readonly messages: readonly Fields[];
}

function chatsIn(value: unknown): readonly Chat[] {
  if (isHistory(value)) return [{ id: undefined, messages: recordsOf(value) }];
  if (Array.isArray(value)) return value.flatMap((one) => chatOf(one) ?? []);
  const chat = chatOf(value);
  return chat === undefined ? [] : [chat];
}

function chatOf(value: unknown): Chat | undefined {
  const fields = fieldsOf(value);
  const history = fields?.chat_history ?? fieldsOf(fields?.groupchat)?.messages ?? namedOf(fields);
  if (!Array.isArray(history) || fields === undefined) return undefined;
  return { id: nameIn(fields.id, fields.chat_id), messages: recordsOf(history) };
}

/** `{ messages }` whose messages say who spoke. */
function namedOf(fields: Fields | undefined): unknown {
  return isHistory(fields?.messages) ? fields?.messages : undefined;
}

/** Whether these are messages that all say who spoke, without the instructions that a model gets. */
function isHistory(value: unknown): boolean {
  const messages = listOf(value);
  return messages.length > 0 && messages.every(isNamedMessage);
}

function isNamedMessage(value: unknown): boolean {
  const fields = fieldsOf(value);
  if (fields === undefined || fields.role === 'system') return false;
  const isMessage = 'content' in fields && typeof fields.role === 'string';
  return isMessage && (nameIn(fields.name) !== undefined || 'tool_responses' in fields);
}

function toNamed(id: string | undefined, messages: readonly Fields[], name: string): Named {
  const transcript = new Transcript();
  for (const [i, message] of messages.entries()) tellMessage(message, transcript, i === 0);
  return { id: id ?? name, signals: transcript.take() };
}
