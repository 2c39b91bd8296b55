import type { OpenAI } from 'openai';
import type { ModelInfo } from '../client.ts';
import { ModelClientError } from '../errors.ts';
import type { AssistantMessage, ImagePart, LLMMessage, UserMessage } from '../messages.ts';
import { kindOf } from './wire-fields.ts';

type WireMessage = OpenAI.ChatCompletionMessageParam;

/** What decides how messages are written. */
export interface WireMessageOptions {
  readonly modelInfo: ModelInfo;
  readonly includeNames: boolean;
}

const TYPES =
  "'SystemMessage', 'UserMessage', 'AssistantMessage' or 'FunctionExecutionResultMessage', not a `role`";

/** What the messages of each type hold. */
const CONTENT = {
  SystemMessage: { isText: true, isList: false, expected: 'text' },
  UserMessage: { isText: true, isList: true, expected: 'text or a list' },
  AssistantMessage: { isText: true, isList: true, expected: 'text or a list' },
  FunctionExecutionResultMessage: { isText: false, isList: true, expected: 'a list' },
} as const satisfies Record<LLMMessage['type'], object>;

/** Writes messages as the chat-completions protocol wants them. */
export function toWireMessages(
  messages: readonly LLMMessage[],
  options: WireMessageOptions,
): WireMessage[] {
  if (!Array.isArray(messages)) throw invalidMessage('messages', 'a list of messages');
  messages.forEach(checkMessage);
  return mergeSystemMessages(messages, options.modelInfo).flatMap((message) =>
    toWireMessage(message, options),
  );
}

function toWireMessage(
  message: LLMMessage,
  { modelInfo, includeNames }: WireMessageOptions,
): WireMessage[] {
  const name = (source: string | undefined): { name?: string } =>
    includeNames && source ? { name: wireName(source) } : {};
  switch (message.type) {
    case 'SystemMessage':
      return [{ role: 'system', content: message.content, ...name(message.name) }];
    case 'UserMessage':
      return [{ role: 'user', content: userContent(message, modelInfo), ...name(message.source) }];
    case 'AssistantMessage':
      return [{ role: 'assistant', ...assistantContent(message), ...name(message.source) }];
    case 'FunctionExecutionResultMessage':
      return message.content.map(({ content, callId }) => ({
        role: 'tool',
        content,
        tool_call_id: callId,
      }));
  }
}

function checkMessage(message: unknown, at: number): void {
  const { type, content } = Object(message) as Partial<LLMMessage>;
  if (type === undefined || !Object.hasOwn(CONTENT, type)) {
    throw invalidMessage(`messages[${at}].type`, TYPES);
  }
  const { isList, isText, expected } = CONTENT[type];
  if ((isText && typeof content === 'string') || (isList && Array.isArray(content))) return;
  throw invalidMessage(`messages[${at}].content`, `${expected}, received ${kindOf(content)}`);
}

function invalidMessage(what: string, expected: string): ModelClientError {
  return new ModelClientError('INVALID_OPTION', `${what}: expected ${expected}`);
}

/** The protocol allows 64 letters, digits, `_` and `-` in a name and rejects the request for anything else. */
function wireName(source: string): string {
  return source.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
}

function userContent(
  { content }: UserMessage,
  modelInfo: ModelInfo,
): string | OpenAI.ChatCompletionContentPart[] {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    if (!modelInfo.vision) {
      throw new ModelClientError(
        'UNSUPPORTED',
        'the model does not accept images (modelInfo.vision)',
      );
    }
    return { type: 'image_url', image_url: { url: dataUrl(part) } };
  });
}

function dataUrl({ data, mimeType = 'image/png' }: ImagePart): string {
  return `data:${mimeType};base64,${data}`;
}

function assistantContent({
  content,
  thought,
}: AssistantMessage): Omit<OpenAI.ChatCompletionAssistantMessageParam, 'role'> {
  if (typeof content === 'string') return { content };
  return {
    content: thought ?? null,
    tool_calls: content.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

function mergeSystemMessages(
  messages: readonly LLMMessage[],
  { multipleSystemMessages = true }: ModelInfo,
): readonly LLMMessage[] {
  const [first, ...more] = messages.filter((message) => message.type === 'SystemMessage');
  if (multipleSystemMessages || first === undefined || more.length === 0) return messages;
  const start = messages.indexOf(first);
  const end = start + 1 + more.length;
  if (messages.slice(start, end).some((message) => message.type !== 'SystemMessage')) {
    throw new ModelClientError(
      'UNSUPPORTED',
      'the model accepts one system message, and the given ones are not adjacent (modelInfo.multipleSystemMessages)',
    );
  }
  const content = [first, ...more].map((message) => message.content).join('\n');
  return [...messages.slice(0, start), { ...first, content }, ...messages.slice(end)];
}
