import { executionSignal, joinBlocks, type Origin } from '@teamfuse/adapter-kit';
import {
  type ExecutionSignal,
  type HumanInputSignal,
  type MessageSignal,
  readJson,
  type ToolCallSignal,
} from '@teamfuse/core';
import type { ChatEvent } from '@teamfuse/groupchat';
import { groupOf, nameOf, type ViewedMessage } from '../context/agent-view.ts';
import { contentText } from './message-text.ts';

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** A message to one peer or to a whole group. */
export function messageSignal(
  message: ViewedMessage,
  peer: object | null,
  origin: Origin,
): MessageSignal {
  const to = peer && !groupOf(peer) ? nameOf(peer) : '';
  return { kind: 'message', ...origin, text: contentText(message.content), ...(to && { to }) };
}

/** A call of a tool or a function, with its outcome. */
export function toolCallSignal(
  { name, callId, arguments: args, content, succeeded }: Of<'tool-call'>,
  origin: Origin,
  durationMs: number,
): ToolCallSignal {
  return {
    kind: 'tool-call',
    ...origin,
    tool: name || 'unknown',
    args: readJson(args),
    ...(succeeded ? { result: readJson(content) } : { error: { message: content } }),
    ...(callId !== null && { callId }),
    durationMs,
  };
}

/** A run of code; an error of the executor itself counts as output. `undefined` for a cancelled run. */
export function codeRunSignal(
  { blocks, exitCode, output, error }: Of<'code-execution'>,
  origin: Origin,
  durationMs: number,
): ExecutionSignal | undefined {
  const result = { exitCode: exitCode ?? -1, output: error === null ? output : String(error) };
  const signal = executionSignal(origin, joinBlocks(blocks), result);
  return signal && { ...signal, durationMs };
}

/** The input of a person. Enter alone lets the agent go on, `exit` ends the chat. */
export function humanInputSignal(
  { input, purpose }: Of<'human-input'>,
  origin: Origin,
  waitedMs: number,
): HumanInputSignal {
  const signal = { kind: 'human-input', ...origin, text: input, waitedMs } as const;
  if (purpose === 'speaker') return signal;
  if (input === '') return { ...signal, decision: 'approve' };
  return input === 'exit' ? { ...signal, decision: 'reject' } : signal;
}
