import {
  type ChatItem,
  CodeExecutionEvent,
  CodeGenerationEvent,
  HandoffMessage,
  TextMessage,
  ToolCallExecutionEvent,
  ToolCallRequestEvent,
} from '@teamfuse/agentchat';
import type { Signal } from '@teamfuse/core';
import { parseSignal } from '@teamfuse/core/kit';
import { type Circumstances, ItemReader } from '../../src/signals/item-reader.ts';

/** What a reader tells of items that come together, one that has read others before if need be. */
export function read(
  items: readonly ChatItem[],
  circumstances: Partial<Circumstances> = {},
  reader: ItemReader = new ItemReader(),
): Signal[] {
  const signals = items.flatMap((item) => reader.read(item, { at: 7, ...circumstances }, items));
  for (const signal of signals) parseSignal(signal);
  return signals;
}

export function text(source: string, content: string): TextMessage {
  return new TextMessage({ source, content });
}

export function handoff(source: string, target: string, content = 'over to you'): HandoffMessage {
  return new HandoffMessage({ source, target, content });
}

export function asksTool(
  source: string,
  id: string,
  name: string,
  args: unknown,
): ToolCallRequestEvent {
  const call = { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
  return new ToolCallRequestEvent({ source, content: [call] });
}

export function toolGave(
  source: string,
  callId: string,
  name: string,
  content: string,
  isError = false,
): ToolCallExecutionEvent {
  return new ToolCallExecutionEvent({ source, content: [{ callId, name, content, isError }] });
}

/** Several calls that a model asked for at once. */
export function asksTools(
  source: string,
  ...calls: [id: string, name: string, args: object][]
): ToolCallRequestEvent {
  const content = calls.map(([id, name, args]) => ({ id, name, arguments: JSON.stringify(args) }));
  return new ToolCallRequestEvent({ source, content });
}

export function wrote(
  source: string,
  code: string,
  language = 'python',
  retryAttempt = 0,
): CodeGenerationEvent {
  const codeBlocks = [{ code, language }];
  return new CodeGenerationEvent({ source, retryAttempt, content: code, codeBlocks });
}

export function ran(
  source: string,
  exitCode: number,
  output: string,
  retryAttempt = 0,
): CodeExecutionEvent {
  return new CodeExecutionEvent({ source, retryAttempt, result: { exitCode, output } });
}
