import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import type { ChatMessage, ToolResponse } from '../messages/message.ts';
import { coloured } from './io-stream.ts';

/** A received message as the console shows it. */
export function receivedText(
  message: string | ChatMessage,
  sender: Agent,
  recipient: Agent,
): string {
  const given: ChatMessage = typeof message === 'string' ? { content: message } : message;
  const header = `${coloured('yellow', sender.name)} (to ${recipient.name}):\n`;
  const parts = (given.tool_responses ?? []).map((response) =>
    receivedText(response, sender, recipient),
  );
  const isDone = parts.length > 0 && given.role === 'tool';
  return [header, ...parts, ...(isDone ? [] : [body(given)]), rule].join('\n');
}

const rule: string = `\n${'-'.repeat(80)}`;

function body(message: ChatMessage | ToolResponse): string {
  if (message.role === 'function' || message.role === 'tool') return responseFrame(message);
  const { content, context, function_call: call, tool_calls: calls } = message as ChatMessage;
  const text = typeof content === 'function' ? content(context ?? {}) : contentText(content);
  const lines = text === '' && (call || calls) ? [] : [text];
  if (call) {
    lines.push(
      callFrame(`Suggested function call: ${call.name ?? '(No function name found)'}`, call),
    );
  }
  for (const { id, function: asked } of calls ?? []) {
    const title = `Suggested tool call (${id ?? 'No tool call id found'}): ${asked.name ?? '(No function name found)'}`;
    lines.push(callFrame(title, asked));
  }
  return lines.join('\n');
}

function responseFrame(message: ChatMessage | ToolResponse): string {
  const id = message.role === 'function' ? message.name : message.tool_call_id;
  const title = `***** Response from calling ${message.role} (${id ?? 'No id found'}) *****`;
  const text = contentText(message.content);
  return `${coloured('green', title)}\n${text}\n${coloured('green', '*'.repeat(title.length))}`;
}

function callFrame(what: string, call: { arguments?: string }): string {
  const title = `***** ${what} *****`;
  const given = `Arguments: \n${call.arguments ?? '(No arguments found)'}`;
  return `${coloured('green', title)}\n${given}\n${coloured('green', '*'.repeat(title.length))}`;
}
