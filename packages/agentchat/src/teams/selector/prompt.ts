import type { LLMMessage } from '@teamfuse/models';
import { repr } from '../../base/python-text.ts';
import { functionCallsRepr } from '../../messages/llm-repr.ts';

/** How the selecting model is asked; `{roles}`, `{participants}` and `{history}` are filled in. */
export const DEFAULT_SELECTOR_PROMPT = `Several roles take part in a conversation:
{roles}

This is the conversation so far. Decide which of {participants} should speak next, and answer with that role alone.

{history}

Given the conversation above, which of {participants} should speak next? Answer with that role alone.
`;

/** The participants as the prompt lists them: a line each, name and description. */
export function rolesText(
  participants: readonly { readonly name: string; readonly description: string }[],
): string {
  return participants
    .map(({ name, description }) => `${name}: ${description}`.replace(/\s+/gu, ' ').trim())
    .join('\n');
}

/** The conversation as the prompt shows it. */
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

/** Upstream puts in what Python makes of the content: lists of parts and calls as their repr. */
function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part) => {
    if (typeof part === 'string') return repr(part);
    return 'arguments' in part ? functionCallsRepr([part]).slice(1, -1) : '<Image object>';
  });
  return `[${texts.join(', ')}]`;
}
