import type {
  AssistantMessage,
  FunctionExecutionResult,
  ImagePart,
  LLMMessage,
  UserMessage,
} from '@teamfuse/models';
import { contentText } from '../messages/content.ts';
import type { ChatMessage, ContentPart } from '../messages/message.ts';

/** Converts messages of AutoGen 0.2 to those of model clients. */
export function toModelMessages(messages: readonly ChatMessage[]): LLMMessage[] {
  const converted: LLMMessage[] = [];
  const names = new Map<string, string>();
  for (const [at, message] of messages.entries()) {
    const result = toResult(message, names);
    const last = converted.at(-1);
    if (result && last?.type === 'FunctionExecutionResultMessage') {
      converted[converted.length - 1] = { ...last, content: [...last.content, result] };
    } else if (result) {
      converted.push({ type: 'FunctionExecutionResultMessage', content: [result] });
    } else {
      converted.push(toSpoken(message, at, names));
    }
  }
  return converted;
}

function toSpoken(message: ChatMessage, at: number, names: Map<string, string>): LLMMessage {
  const { role, name } = message;
  if (role === 'assistant') return toAssistant(message, at, names);
  if (role !== 'system') {
    return { type: 'UserMessage', content: userContent(message), source: name ?? 'user' };
  }
  const content = contentText(message.content);
  return { type: 'SystemMessage', content, ...(name === undefined ? {} : { name }) };
}

function toAssistant(
  message: ChatMessage,
  at: number,
  names: Map<string, string>,
): AssistantMessage {
  const source = message.name ?? 'assistant';
  const text = contentText(message.content);
  const asked = message.function_call
    ? [{ id: functionCallId, function: message.function_call }]
    : (message.tool_calls ?? []);
  if (asked.length === 0) return { type: 'AssistantMessage', content: text, source };
  const calls = asked.map((call, index) => {
    const id = call.id ?? `call_${at}_${index}`;
    const name = call.function.name ?? '';
    names.set(id, name);
    return { id, name, arguments: call.function.arguments ?? '{}' };
  });
  return { type: 'AssistantMessage', content: calls, thought: text || null, source };
}

// The older form has no ids; a function's result always answers the call right before it.
const functionCallId = 'function_call';

function toResult(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
): FunctionExecutionResult | undefined {
  if (message.role !== 'tool' && message.role !== 'function') return undefined;
  const callId = message.role === 'tool' ? (message.tool_call_id ?? '') : functionCallId;
  const name = (message.role === 'function' ? message.name : names.get(callId)) ?? '';
  return { content: contentText(message.content), name, callId };
}

function userContent(message: ChatMessage): UserMessage['content'] {
  const { content } = message;
  return Array.isArray(content) ? content.map(toPart) : contentText(content);
}

function toPart(part: ContentPart): string | ImagePart {
  if (part.type === 'text') return part.text;
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(part.image_url.url) ?? [];
  // Clients take pictures only as data, so an address is passed as text.
  return mimeType && data !== undefined ? { data, mimeType } : part.image_url.url;
}
