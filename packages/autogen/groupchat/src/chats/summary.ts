import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { GroupChatError, invalidValue } from '../errors.ts';
import { contentText } from '../messages/content.ts';
import type { ChatMessage } from '../messages/message.ts';
import { untilCancelled } from './cancellation.ts';

/** The arguments of a summary; other keys are for a custom summary function. */
export interface SummaryArgs {
  /** The prompt for the model, in place of {@link defaultSummaryPrompt}. */
  readonly summaryPrompt?: string;
  /**
   * The role of the prompt.
   * @defaultValue 'system'
   */
  readonly summaryRole?: string;
  readonly [key: string]: unknown;
}

/** Makes the summary of a chat. */
export type SummaryFunction = (
  sender: ConversableAgent,
  recipient: ConversableAgent,
  summaryArgs: SummaryArgs,
) => string | Promise<string>;

/** How a chat is summed up: by its last message, by a model, by a function, or not at all. */
export type SummaryMethod = 'last_msg' | 'reflection_with_llm' | SummaryFunction | null;

/** The default prompt for a summary by a model. */
export const defaultSummaryPrompt =
  'Say what this conversation came to. Begin with the substance, without an opening phrase.';

/** Rejects an unknown summary method, and one that needs a model when there is none. */
export function checkSummaryMethod(
  method: unknown,
  sender: ConversableAgent,
  recipient: ConversableAgent,
): void {
  if (method === null || typeof method === 'function' || method === 'last_msg') return;
  if (method !== 'reflection_with_llm') {
    throw new GroupChatError(
      'INVALID_USE',
      "summary_method must be a string chosen from 'reflection_with_llm' or 'last_msg' or a callable, or None.",
    );
  }
  if (!sender.client && !recipient.client) {
    throw new GroupChatError(
      'INVALID_USE',
      'llm client must be set in either the recipient or sender when summary_method is reflection_with_llm.',
    );
  }
}

/** Sums up the chat two agents just had. */
export async function summarizeChat(
  sender: ConversableAgent,
  recipient: ConversableAgent,
  method: SummaryMethod,
  summaryArgs: SummaryArgs,
): Promise<string> {
  if (method === null) return '';
  if (method === 'last_msg') return lastMessageSummary(sender, recipient);
  if (method === 'reflection_with_llm') return modelSummary(sender, recipient, summaryArgs);
  return untilCancelled(async () => method(sender, recipient, summaryArgs));
}

function lastMessageSummary(sender: ConversableAgent, recipient: ConversableAgent): string {
  const content = lastContent(sender, recipient);
  if (typeof content === 'string') return content.replaceAll('TERMINATE', '');
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => ('text' in part ? [part.text.replaceAll('TERMINATE', '')] : []))
    .join('\n');
}

function lastContent(
  sender: ConversableAgent,
  recipient: ConversableAgent,
): ChatMessage['content'] {
  try {
    return recipient.lastMessage(sender)?.content;
  } catch (error) {
    if (error instanceof GroupChatError && error.code === 'EMPTY_CONVERSATION') return '';
    throw error;
  }
}

// Calls the model directly, not through a reply chain, so that no reply function sees this call.
async function modelSummary(
  sender: ConversableAgent,
  recipient: ConversableAgent,
  { summaryPrompt = defaultSummaryPrompt, summaryRole }: SummaryArgs,
): Promise<string> {
  checkText(summaryPrompt, 'The summary_prompt must be a string.');
  if (summaryRole) {
    checkText(summaryRole, 'The summary_role in summary_arg must be a string.');
  }
  const client = recipient.client ?? sender.client;
  if (!client) return '';
  const messages = client.prepare([
    ...recipient.chatMessagesForSummary(sender),
    { role: summaryRole || 'system', content: summaryPrompt },
  ]);
  const { model } = client;
  const request = { kind: 'model-request', purpose: 'summary', model, messages } as const;
  const reply = await sender.step(request, (signal) =>
    client.create(sender, messages, 'summary', signal),
  );
  if (!reply || typeof reply === 'string') return reply ?? '';
  return contentText(reply.content);
}

function checkText(value: unknown, message: string): void {
  if (typeof value !== 'string') throw invalidValue(message);
}
