import type { UnreachedOutcome } from '@teamfuse/adapter-kit';
import type { Work } from './work.ts';

/** Reports the calls that a history says to have failed, and that have reached no tool. */
export function tellFailed(
  context: Work['context'],
  messages: readonly { readonly content: unknown }[],
): void {
  for (const { content } of messages) {
    const { parts } = Object(content) as { readonly parts?: unknown };
    for (const part of Array.isArray(parts) ? parts : []) {
      const { toolInvocation } = Object(part) as { readonly toolInvocation?: unknown };
      const call = Object(toolInvocation) as Readonly<Record<string, unknown>>;
      context.callAnswered(String(call.toolCallId), () => outcomeOf(call));
    }
  }
}

function outcomeOf({
  state,
  errorText = state,
}: Readonly<Record<string, unknown>>): UnreachedOutcome | undefined {
  if (state !== 'output-error' && state !== 'output-denied') return undefined;
  return { error: { message: String(errorText) }, isDenied: state === 'output-denied' };
}
