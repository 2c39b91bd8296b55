import { type Origin, type ToolOutcome, textOutcome } from '@teamfuse/adapter-kit';
import type { HumanInputSignal, MessageSignal } from '@teamfuse/core/kit';
import type { ChatEvent, FunctionOutcome } from '@teamfuse/groupchat';
import { nameOf, type ViewedMessage } from '../context/agent-view.ts';
import { groupOf } from '../context/group-of.ts';
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

/** What came of a call of a tool or a function. */
export function toolOutcome(outcome: unknown): ToolOutcome {
  const { succeeded, content } = outcome as FunctionOutcome;
  return textOutcome(content, { isError: !succeeded });
}

/** What came of a run of code. */
export function codeResult(result: unknown): CodeRun {
  return result as CodeRun;
}

interface CodeRun {
  readonly exitCode: number;
  readonly output: string;
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
