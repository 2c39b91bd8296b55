import { readJson } from '@teamfuse/core/kit';
import type { GuardContext, UnreachedOutcome } from '../context/guard-context.ts';
import type { AnswerPart, PromptMessage } from './shapes.ts';

/** An answer asks for these calls of tools. */
export function askedFor(context: GuardContext, agent: string, parts: readonly AnswerPart[]): void {
  context.callsAsked(
    agent,
    parts.map(({ toolCallId, toolName, input }) => ({
      id: String(toolCallId),
      tool: typeof toolName === 'string' ? toolName : '',
      args: typeof input === 'string' ? readJson(input) : (input ?? null),
    })),
  );
}

/** Reports the calls that a prompt says to have failed, and that have reached no tool. A call that ran elsewhere has a result. */
export function answeredIn(context: GuardContext, prompt: readonly PromptMessage[]): void {
  for (const { role, content } of prompt) {
    if (role !== 'tool' || typeof content === 'string') continue;
    for (const part of content as readonly Readonly<Record<string, unknown>>[]) {
      if (part.type !== 'tool-result') continue;
      context.callAnswered(String(part.toolCallId), () => failureIn(part.output));
    }
  }
}

function failureIn(output: unknown): UnreachedOutcome | undefined {
  const { type, value, reason } = Object(output) as Readonly<Record<string, unknown>>;
  if (type === 'execution-denied') {
    return { error: { message: String(reason ?? type), code: 'EXECUTION_DENIED' }, isDenied: true };
  }
  if (type !== 'error-text' && type !== 'error-json') return undefined;
  const message = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  // It may have run elsewhere, where nobody was asked.
  return { error: { message }, isDenied: false };
}
