import type { ViewedCall, ViewedMessage } from './agent-view.ts';

/** What a message says. One that only asks for calls says these calls. */
export function messageText(message: ViewedMessage): string {
  return contentText(message.content) || callsOf(message).map(callText).join('\n');
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

function callsOf({ tool_calls: calls, function_call: call }: ViewedMessage): ViewedCall[] {
  return [...(calls ?? []).map((asked) => asked.function ?? {}), ...(call ? [call] : [])];
}

function callText({ name = '', arguments: args = '' }: ViewedCall): string {
  return `${name}(${args})`;
}
