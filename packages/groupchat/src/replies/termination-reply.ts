import { GroupChatError } from '../errors.ts';
import { coloured } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import { asksForFunction } from '../messages/conversations.ts';
import type { ChatMessage, ToolResponse } from '../messages/message.ts';
import type { BuiltInReply, Replier } from './replier.ts';
import type { ReplyResult } from './reply-function.ts';

/** The default test for the end of a chat: the message says `TERMINATE` and nothing else. */
export function saysTerminate(message: ChatMessage): boolean {
  return contentText(message.content) === 'TERMINATE';
}

/** Ends the chat, lets a person answer, or counts one more automatic reply and passes on. */
export const checkTerminationAndHumanReply: BuiltInReply =
  async function checkTerminationAndHumanReply(recipient, messages, sender) {
    const message = (messages ?? recipient.conversations.with(sender)).at(-1);
    if (!message) throw new GroupChatError('INVALID_USE', 'there is no message to reply to.');
    const peer = sender?.name ?? 'the sender';
    const reached = recipient.autoReplies.count(sender) >= recipient.autoReplies.limit(sender);
    const human = await ask(recipient, message, peer, reached);
    return settle(recipient, message, human, sender);
  };

/** Returns `exit`, the input of a person, or `""` when the agent is to reply itself. */
async function ask(
  recipient: Replier,
  message: ChatMessage,
  peer: string,
  limitReached: boolean,
): Promise<string> {
  const isLast = (): boolean => recipient.isTerminationMsg(message);
  switch (recipient.humanInputMode) {
    case 'ALWAYS': {
      const input = await askPerson(recipient, replyPrompt(recipient.name, peer));
      return input === '' && isLast() ? 'exit' : input;
    }
    case 'TERMINATE': {
      const last = isLast();
      if (!limitReached && !last) return '';
      const input = await askPerson(recipient, last ? stopPrompt(peer) : skipPrompt(peer));
      return input === '' && last ? 'exit' : input;
    }
    case 'NEVER':
      return limitReached || isLast() ? 'exit' : '';
  }
}

async function askPerson(recipient: Replier, prompt: string): Promise<string> {
  const input = await recipient.getHumanInput(prompt);
  if (input === '') recipient.io.print(coloured('red', '\n>>>>>>>> NO HUMAN INPUT RECEIVED.'));
  return input;
}

function settle(
  recipient: Replier,
  message: ChatMessage,
  human: string,
  sender: Agent | null,
): ReplyResult {
  const { autoReplies } = recipient;
  if (human === 'exit') {
    autoReplies.reset(sender);
    return [true, null];
  }
  if (human !== '' || autoReplies.limit(sender) === 0) {
    autoReplies.reset(sender);
    const interrupted = interruptions(message);
    const reply: ChatMessage = { role: 'user', content: human };
    return [true, interrupted.length > 0 ? { ...reply, tool_responses: interrupted } : reply];
  }
  autoReplies.add(sender);
  if (recipient.humanInputMode !== 'NEVER') {
    recipient.io.print(coloured('red', '\n>>>>>>>> USING AUTO REPLY...'));
  }
  return [false, null];
}

// Models reject a call without a result, so the reply of a person closes the open calls.
function interruptions(message: ChatMessage): ToolResponse[] {
  const content = 'USER INTERRUPTED';
  const responses: ToolResponse[] = [];
  if (asksForFunction(message)) {
    responses.push({ role: 'function', name: message.function_call?.name ?? '', content });
  }
  for (const call of message.tool_calls ?? []) {
    responses.push({ role: 'tool', tool_call_id: call.id ?? '', content });
  }
  return responses;
}

function replyPrompt(name: string, peer: string): string {
  return `Replying as ${name}. Provide feedback to ${peer}. Press enter to skip and use auto-reply, or type 'exit' to end the conversation: `;
}

function stopPrompt(peer: string): string {
  return `Please give feedback to ${peer}. Press enter or type 'exit' to stop the conversation: `;
}

function skipPrompt(peer: string): string {
  return `Please give feedback to ${peer}. Press enter to skip and use auto-reply, or type 'exit' to stop the conversation: `;
}
