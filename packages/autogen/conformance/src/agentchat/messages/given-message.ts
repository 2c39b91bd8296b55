import {
  type BaseChatMessage,
  type ChatItem,
  type ChatItemClass,
  HandoffMessage,
  isChatMessage,
  MessageFactory,
  MultiModalMessage,
  SelectorEvent,
  StopMessage,
  structuredMessageClass,
  TextMessage,
  ToolCallSummaryMessage,
} from '@teamfuse/agentchat';
import type { MessageSpec } from '../vector.ts';
import { contentModels } from './content-models.ts';
import { CustomNote } from './custom-note.ts';

const structured = new Map(
  Object.keys(contentModels).map((name) => {
    const messageClass = structuredMessageClass(name);
    return [messageClass.type, messageClass];
  }),
);

const known = new MessageFactory();
for (const messageClass of structured.values()) known.register(messageClass);
known.register(CustomNote);
known.register(SelectorEvent);

const chatClasses = new Map<string, ChatItemClass>(
  [
    TextMessage,
    StopMessage,
    HandoffMessage,
    ToolCallSummaryMessage,
    MultiModalMessage,
    CustomNote,
  ].map((messageClass) => [messageClass.type, messageClass]),
);

/** The class of messages a type name stands for. */
export function messageClass(type: string): ChatItemClass {
  const found = chatClasses.get(type) ?? structured.get(type);
  if (found === undefined) throw new Error(`the vectors name an unknown message class: ${type}`);
  return found;
}

/** A message or event of a vector; `source` stands in where the vector leaves it out. */
export function givenItem(spec: MessageSpec, source?: string): ChatItem {
  const { content } = spec;
  return known.create({
    source,
    ...spec,
    ...(spec.type === 'MemoryQueryEvent' &&
      Array.isArray(content) && { content: content.map(plainMime) }),
  });
}

/** A chat message of a vector. */
export function givenMessage(spec: MessageSpec, source?: string): BaseChatMessage {
  const item = givenItem(spec, source);
  if (!isChatMessage(item)) throw new Error(`the vectors use ${spec.type} as a chat message`);
  return item;
}

// A kind of memory content may be given as a member of an enumeration; here it is its text.
function plainMime(entry: object): object {
  const mime: unknown = Reflect.get(entry, 'mime_type');
  const isMember = typeof mime === 'object' && mime !== null && 'enum' in mime;
  return isMember ? { ...entry, mime_type: mime.enum } : entry;
}
