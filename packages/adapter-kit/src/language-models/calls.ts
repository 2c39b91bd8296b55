import { readJson, toJson } from '@teamfuse/core/kit';
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

/** Reports what a prompt says of calls that have reached no guarded tool: they ran elsewhere, failed or were denied. */
export function answeredIn(context: GuardContext, prompt: readonly PromptMessage[]): void {
  for (const { role, content } of prompt) {
    if (role !== 'tool' || typeof content === 'string') continue;
    for (const part of content as readonly Readonly<Record<string, unknown>>[]) {
      if (part.type !== 'tool-result') continue;
      context.callAnswered(String(part.toolCallId), () => outcomeIn(part.output));
    }
  }
}

function outcomeIn(output: unknown): UnreachedOutcome | undefined {
  const { type, value, reason } = Object(output) as Readonly<Record<string, unknown>>;
  if (type === 'execution-denied') {
    return { error: { message: String(reason ?? type), code: 'EXECUTION_DENIED' }, isDenied: true };
  }
  if (type === 'text' || type === 'json' || type === 'content') return { result: toJson(value) };
  if (type !== 'error-text' && type !== 'error-json') return undefined;
  const message = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  // It may have run elsewhere, where nobody was asked.
  return { error: { message }, isDenied: false };
}
