import type { ViewedMessage } from '../context/agent-view.ts';

/** The text of a message that a model reads, calls included. */
export function promptText(message: ViewedMessage): string {
  const calls = [
    ...(message.tool_calls ?? []).map((call) => call.function ?? {}),
    ...(message.function_call ? [message.function_call] : []),
  ];
  const asked = calls.map(({ name = '', arguments: args = '' }) => `${name}(${args})`);
  return [contentText(message.content), ...asked].filter((text) => text !== '').join('\n');
}

/** Whether a message asks for calls, in either form. */
export function asksForCalls({ tool_calls: calls, function_call: call }: ViewedMessage): boolean {
  return (calls?.length ?? 0) > 0 || Object.keys(call ?? {}).length > 0;
}

/** Text or parts of a message as text; pictures are named, not shown. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(partText).join('');
}

function partText(part: unknown): string {
  const { text } = Object(part) as { text?: unknown };
  return typeof text === 'string' ? text : '<image>';
}

/** The text that a chat, or a queue of nested chats, came back with. */
export function summaryOf(outcome: unknown): string | undefined {
  const [, reply] = Array.isArray(outcome) ? outcome : [];
  const { summary = reply } = Object(outcome) as { readonly summary?: unknown };
  const text = typeof summary === 'string' ? summary : contentText(Object(summary).content);
  return text || undefined;
}
