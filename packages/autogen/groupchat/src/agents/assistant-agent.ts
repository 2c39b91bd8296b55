import type { ConversableAgentOptions } from './agent-options.ts';
import { ConversableAgent } from './conversable-agent.ts';

const defaultSystemMessage = `You are an assistant who solves tasks with language and code.
Work in small steps and say what each step is for. When something has to be found out or done, write it as Python in a \`python\` block or as shell commands in an \`sh\` block; whoever runs it cannot edit it, so each block must be complete. Ask for nothing to be copied or pasted: print what you need to see.
Write one block per message and wait for its output. When it failed, say what was wrong and send the whole block again, corrected. When the task is solved, check the answer against what was asked, and then reply with the single word TERMINATE.`;

const defaultDescription =
  'A helpful assistant that solves tasks step by step, with language and with code that somebody else runs.';

/**
 * An agent that thinks with a model and never asks a person.
 *
 * @example
 * ```ts
 * const client = new ReplayChatCompletionClient(['Four.']);
 * const assistant = new AssistantAgent({ name: 'assistant', llmConfig: { client } });
 * const messages = [{ role: 'user', content: 'What is 2 + 2?' }];
 * await assistant.generateReply({ messages }); // => 'Four.'
 * ```
 */
export class AssistantAgent extends ConversableAgent {
  constructor(options: ConversableAgentOptions) {
    const { systemMessage = defaultSystemMessage, description } = options;
    const isDefault = systemMessage === defaultSystemMessage;
    super({
      humanInputMode: 'NEVER',
      ...options,
      systemMessage,
      description: description ?? (isDefault ? defaultDescription : systemMessage),
    });
  }
}
