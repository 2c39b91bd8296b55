import type { LLMMessage } from '@teamfuse/models';
import { repr } from '@teamfuse/python-compat';
import { functionCallsRepr } from '../../messages/llm-repr.ts';

/** Default prompt of the selecting model, with the fields `{roles}`, `{participants}` and `{history}`. */
export const DEFAULT_SELECTOR_PROMPT = `Several roles take part in a conversation:
{roles}

This is the conversation so far. Decide which of {participants} should speak next, and answer with that role alone.

{history}

Given the conversation above, which of {participants} should speak next? Answer with that role alone.
`;

/** The participants for the prompt: one line each, with name and description. */
export function rolesText(
  participants: readonly { readonly name: string; readonly description: string }[],
): string {
  return participants
    .map(({ name, description }) => `${name}: ${description}`.replace(/\s+/gu, ' ').trim())
    .join('\n');
}

/** The conversation for the prompt. */
export function historyText(messages: readonly LLMMessage[]): string {
  return messages
    .flatMap((message) =>
      message.type === 'UserMessage' || message.type === 'AssistantMessage'
        ? [`${`${message.source}: ${contentText(message.content)}`.trimEnd()}\n\n`]
        : [],
    )
    .join('\n');
}

type Content = Extract<LLMMessage, { type: 'UserMessage' | 'AssistantMessage' }>['content'];

/** Upstream formats the content with Python's `str`, so that lists of parts and calls appear as their repr. */
function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part) => {
    if (typeof part === 'string') return repr(part);
    return 'arguments' in part ? functionCallsRepr([part]).slice(1, -1) : '<Image object>';
  });
  return `[${texts.join(', ')}]`;
}
