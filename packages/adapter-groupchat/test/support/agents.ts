import {
  ConversableAgent,
  type ConversableAgentOptions,
  GroupChat,
  GroupChatManager,
  type GroupChatOptions,
  type IOStream,
} from '@teamfuse/groupchat';
import { ReplayChatCompletionClient, type Reply } from '@teamfuse/models';

/** Prints nothing; a person who has nothing to say. */
export const silence: IOStream = { print() {}, warn() {}, input: async () => '' };

/** An agent that says the same whenever it is asked, or one thing after the other. */
export function speaker(
  name: string,
  says: string | readonly string[] = `I am ${name}`,
  options: Partial<ConversableAgentOptions> = {},
): ConversableAgent {
  const agent = new ConversableAgent({
    name,
    io: silence,
    humanInputMode: 'NEVER',
    maxConsecutiveAutoReply: 1_000,
    defaultAutoReply: typeof says === 'string' ? says : null,
    ...options,
  });
  if (typeof says === 'string') return agent;
  let next = 0;
  agent.registerReply([() => true, null], () => [true, says[next++] ?? null], { position: -1 });
  return agent;
}

/** An agent with a model that answers from a script. */
export function thinker(
  name: string,
  replies: Iterable<Reply>,
  options: Partial<ConversableAgentOptions> = {},
): { readonly agent: ConversableAgent; readonly client: ReplayChatCompletionClient } {
  const client = new ReplayChatCompletionClient(replies, { model: 'scripted' });
  return { client, agent: speaker(name, '', { llmConfig: { client }, ...options }) };
}

/** A group that takes turns, and its manager. */
export function group(
  agents: readonly ConversableAgent[],
  options: Partial<GroupChatOptions> = {},
): { readonly groupchat: GroupChat; readonly manager: GroupChatManager } {
  const groupchat = new GroupChat({
    agents,
    maxRound: 20,
    speakerSelectionMethod: 'round_robin',
    ...options,
  });
  return { groupchat, manager: new GroupChatManager({ groupchat, io: silence, silent: true }) };
}
