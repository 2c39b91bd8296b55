import type { LLMMessage } from '@teamfuse/models';
import { repr } from '@teamfuse/python-compat';
import { HandoffMessage } from '../../messages/chat/handoff-message.ts';
import type { ExecutedCall } from './executed-call.ts';
import type { AssistantParts } from './parts.ts';

/**
 * The handoff the model requested, if any; the first of several.
 *
 * It carries the other calls of the same reply with their results, so that the next agent knows them.
 */
export function handoffMessage(
  executed: readonly ExecutedCall[],
  thought: string | null | undefined,
  { name: source, handoffs }: Pick<AssistantParts, 'name' | 'handoffs'>,
): HandoffMessage | undefined {
  const handoffOf = ({ call }: ExecutedCall) => handoffs.find(({ name }) => name === call.name);
  const requested = executed.flatMap((item) => handoffOf(item)?.name ?? []);
  const first = executed.find((item) => handoffOf(item) !== undefined);
  const handoff = first && handoffOf(first);
  if (first === undefined || handoff === undefined) return undefined;
  if (requested.length > 1) {
    process.emitWarning(
      `Multiple handoffs detected. Only the first is executed: ${repr(requested)}. ` +
        'Disable parallel tool calls in the model client to avoid this warning.',
    );
  }
  const others = executed.filter((item) => handoffOf(item) === undefined);
  return new HandoffMessage({
    content: first.result.content,
    target: handoff.target,
    source,
    context: contextFor(others, thought ?? null, source),
  });
}

function contextFor(
  others: readonly ExecutedCall[],
  thought: string | null,
  source: string,
): readonly LLMMessage[] {
  if (others.length > 0) {
    return [
      { type: 'AssistantMessage', content: others.map(({ call }) => call), thought, source },
      { type: 'FunctionExecutionResultMessage', content: others.map(({ result }) => result) },
    ];
  }
  if (!thought) return [];
  return [{ type: 'AssistantMessage', content: thought, thought: null, source }];
}
