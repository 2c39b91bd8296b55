import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { Stop } from '../chats/stop.ts';
import { GroupChatError } from '../errors.ts';
import { coloured } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import { asksForFunction } from '../messages/conversations.ts';
import type { ChatMessage, ToolResponse } from '../messages/message.ts';
import type { ReplyFunction, ReplyResult } from './reply-function.ts';

/** The default test for the end of a chat: the message says `TERMINATE` and nothing else. */
export function saysTerminate(message: ChatMessage): boolean {
  return contentText(message.content) === 'TERMINATE';
}

/** Ends the chat, lets a person answer, or counts one more automatic reply and passes on. */
export const checkTerminationAndHumanReply: ReplyFunction = async (recipient, messages, sender) => {
  const message = (messages ?? recipient.conversations.with(sender)).at(-1);
  if (!message) throw new GroupChatError('INVALID_USE', 'there is no message to reply to.');
  const peer = sender?.name ?? 'the sender';
  const decision = await decide(recipient, message, peer, sender);
  return settle(recipient, message, decision, sender);
};

/** Why the chat ends, or the input of a person; `""` when the agent is to reply itself. */
type Decision = Stop | string;

async function decide(
  recipient: ConversableAgent,
  message: ChatMessage,
  peer: string,
  sender: Agent | null,
): Promise<Decision> {
  const { name } = recipient;
  const limit = recipient.autoReplies.limit(sender);
  const limitReached = recipient.autoReplies.count(sender) >= limit;
  const isLast = (): boolean => recipient.isTerminationMsg(message);
  const last: Stop = {
    kind: 'termination_msg',
    reason: `${name} took the last message of ${peer} as the end of the chat`,
  };
  switch (recipient.humanInputMode) {
    case 'ALWAYS': {
      const input = await askPerson(recipient, replyPrompt(name, peer));
      return input === '' && isLast() ? last : input;
    }
    case 'TERMINATE': {
      const isEnd = isLast();
      if (!limitReached && !isEnd) return '';
      const input = await askPerson(recipient, isEnd ? stopPrompt(peer) : skipPrompt(peer));
      return input === '' && isEnd ? last : input;
    }
    case 'NEVER':
      if (limitReached) {
        const replies = `automatic ${limit === 1 ? 'reply' : 'replies'} in a row`;
        const reason = `${name} reached its limit of ${limit} ${replies} to ${peer} (maxConsecutiveAutoReply)`;
        return { kind: 'max_auto_reply', reason };
      }
      return isLast() ? last : '';
  }
}

async function askPerson(recipient: ConversableAgent, prompt: string): Promise<Decision> {
  const input = await recipient.getHumanInput(prompt);
  if (input === '') recipient.io.print(coloured('red', '\n>>>>>>>> NO HUMAN INPUT RECEIVED.'));
  if (input !== 'exit') return input;
  return { kind: 'human_exit', reason: `a person ended the chat as ${recipient.name}` };
}

function settle(
  recipient: ConversableAgent,
  message: ChatMessage,
  decision: Decision,
  sender: Agent | null,
): ReplyResult {
  const { autoReplies } = recipient;
  if (typeof decision !== 'string') {
    autoReplies.reset(sender);
    recipient.silences.set(sender, decision);
    return [true, null];
  }
  if (decision !== '' || autoReplies.limit(sender) === 0) {
    autoReplies.reset(sender);
    const interrupted = interruptions(message);
    const reply: ChatMessage = { role: 'user', content: decision };
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
