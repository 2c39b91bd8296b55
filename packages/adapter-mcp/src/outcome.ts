import { type ToolOutcome, textOutcome } from '@teamfuse/adapter-kit';
import type { Trip } from '@teamfuse/core';
import { toJson } from '@teamfuse/core/kit';

/** What came of a call of a tool. Content that is no text counts as it is: two pictures differ. */
export function outcomeOf(value: object): ToolOutcome {
  const { content, structuredContent, isError } = value as Record<string, unknown>;
  const parts: readonly Record<string, unknown>[] = Array.isArray(content)
    ? content.map(Object)
    : [];
  const isText = parts.length > 0 && parts.every(({ type }) => type === 'text');
  const text = parts.map((part) => part.text ?? `[${part.type}]`).join('\n');
  if (isError === true) return textOutcome(text, { isError });
  if (structuredContent !== undefined) return { result: toJson(structuredContent) };
  return isText ? textOutcome(text, { isError: false }) : { result: toJson(content ?? value) };
}

/** The result of a call that is refused by itself. */
export function refusedCall(text: string): object {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The result of a call that is refused, in the form in which tools report errors to a model. */
export function refusal({ kind, reason }: Trip): object {
  return {
    content: [{ type: 'text', text: `Refused: ${reason}` }],
    isError: true,
    _meta: { teamfuse: { kind, reason } },
  };
}
