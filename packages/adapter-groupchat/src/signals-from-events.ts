import {
  type ExecutionSignal,
  type HumanInputSignal,
  type MessageSignal,
  type NestedStartSignal,
  readJson,
  type SelectionSignal,
  type ToolCallSignal,
} from '@teamfuse/core';
import type { Attempt, ChatEvent } from '@teamfuse/groupchat';
import { groupOf, nameOf, type ViewedMessage } from './agent-view.ts';
import { contentText } from './message-text.ts';
import type { Origin } from './origin.ts';
import type { Scope } from './scope.ts';

/** The exit code with which executors report a time-out. */
const TIMED_OUT = 124;

type Of<K extends ChatEvent['kind']> = ChatEvent & { readonly kind: K };

/** Somebody said something, to one peer or to a whole group. */
export function messageSignal(
  message: ViewedMessage,
  peer: object | null,
  origin: Origin,
): MessageSignal {
  const to = peer && !groupOf(peer) ? nameOf(peer) : '';
  return { kind: 'message', ...origin, text: contentText(message.content), ...(to && { to }) };
}

/** A tool or a function was called. */
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

/** Code was run; what the executor itself failed with counts as output. */
export function executionSignal(
  { blocks, exitCode, output, error }: Of<'code-execution'>,
  origin: Origin,
  durationMs: number,
): ExecutionSignal {
  return {
    kind: 'execution',
    ...origin,
    ...joinedBlocks(blocks),
    exitCode: exitCode === null || exitCode < 0 ? null : exitCode,
    output: error === null ? output : String(error),
    ...(exitCode === TIMED_OUT && { timedOut: true }),
    durationMs,
  };
}

/** Code blocks that are run together, as one piece. */
export function joinedBlocks(
  blocks: readonly { readonly language: string; readonly code: string }[],
): Pick<ExecutionSignal, 'language' | 'code'> {
  return {
    language: blocks[0]?.language.toLowerCase() ?? '',
    code: blocks.map(({ code }) => code.trimEnd()).join('\n'),
  };
}

/** A person typed something. Enter alone lets the agent go on, `exit` ends the chat. */
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

/** It was settled who speaks next; `undefined` when that failed. */
export function selectionSignal(
  { speaker }: Of<'selection'>,
  origin: Origin,
  attempts: number,
): SelectionSignal | undefined {
  return speaker ? { kind: 'selection', ...origin, chosen: speaker.name, attempts } : undefined;
}

/** A nested queue is about to begin in `scope`; it goes by the names of those it asks. */
export function nestedStartSignal(
  { agent, queue, trigger }: Attempt & { readonly kind: 'nested-chat' },
  origin: Origin,
  { depth, path }: Scope,
): NestedStartSignal {
  const [first] = queue;
  const text = typeof first?.message === 'string' ? first.message : contentText(trigger?.content);
  return {
    kind: 'nested-start',
    ...origin,
    depth,
    path,
    chatId: path.at(-1) ?? '',
    trigger: `reply:${agent.name}`,
    ...(text && { text }),
  };
}
