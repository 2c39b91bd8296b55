import type { OptionAdvice, OptionNames } from '@teamfuse/python-compat';
import { invalidOption } from '../errors.ts';
import type { IOStream } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import type { LlmConfig } from '../models/llm-config.ts';
import { knownOptions } from '../option-names.ts';
import type { CodeExecutionConfig } from '../replies/code-execution.ts';
import type { TapSet } from '../taps/tap.ts';
import type { ToolFunction } from '../tools/execute-function.ts';
import { checkToolName } from '../tools/tool.ts';

/** When a person is asked: at every reply, when the chat would end, or never. */
export type HumanInputMode = 'ALWAYS' | 'TERMINATE' | 'NEVER';

/** Whether a received message ends the chat. */
export type TerminationTest = (message: ChatMessage) => boolean;

/** How a {@link ConversableAgent} is set up. */
export interface ConversableAgentOptions {
  readonly name: string;
  /** @defaultValue 'You are a helpful AI Assistant.' */
  readonly systemMessage?: string;
  /**
   * Called with each message that asks for a reply.
   * @defaultValue a test for the text `TERMINATE` and nothing else
   */
  readonly isTerminationMsg?: TerminationTest;
  /**
   * How many replies in a row a peer gets without a person.
   * @defaultValue 100
   */
  readonly maxConsecutiveAutoReply?: number;
  /** @defaultValue 'TERMINATE' */
  readonly humanInputMode?: HumanInputMode;
  /** The functions this agent executes, by name. */
  readonly functionMap?: Readonly<Record<string, ToolFunction>>;
  /** @defaultValue false (code is not run) */
  readonly codeExecutionConfig?: CodeExecutionConfig;
  /** @defaultValue false (there is no model) */
  readonly llmConfig?: LlmConfig | false;
  /**
   * The reply when no reply function has one; `null` for no reply.
   * @defaultValue ''
   */
  readonly defaultAutoReply?: Reply;
  /** @defaultValue systemMessage */
  readonly description?: string;
  /** Histories to continue; they are not copied. */
  readonly chatMessages?: Map<Agent | null, ChatMessage[]>;
  /** Whether this agent's messages stay off the console; overrides `silent` of the chat. */
  readonly silent?: boolean;
  /**
   * Where the agent prints and asks people.
   * @defaultValue the console
   */
  readonly io?: IOStream;
  /** The manager that hides this agent while it chooses a speaker. */
  readonly hiddenFor?: Agent;
  /** Taps to share with another agent. */
  readonly taps?: TapSet;
}

/** The options of an agent. */
export const agentOptionNames: OptionNames<ConversableAgentOptions> = {
  name: true,
  systemMessage: true,
  isTerminationMsg: true,
  maxConsecutiveAutoReply: true,
  humanInputMode: true,
  functionMap: true,
  codeExecutionConfig: true,
  llmConfig: true,
  defaultAutoReply: true,
  description: true,
  chatMessages: true,
  silent: true,
  io: true,
  hiddenFor: true,
  taps: true,
};

/** Where options of AutoGen's agents went that have another name here. */
export const agentOptionAdvice: OptionAdvice = {
  0: "the name is an option, too: { name: 'writer' }",
  context_variables: 'pass values in the `context` of a chat or of a message',
  update_agent_state_before_reply: "register a hook on 'processAllMessagesBeforeReply'",
};

/** Returns the options of an agent; rejects unknown and invalid ones. */
export function checkAgentOptions(options: ConversableAgentOptions): ConversableAgentOptions {
  knownOptions('agent', options, agentOptionNames, agentOptionAdvice);
  const { humanInputMode = 'NEVER', maxConsecutiveAutoReply = 0, functionMap = {} } = options;
  if (!['ALWAYS', 'TERMINATE', 'NEVER'].includes(humanInputMode)) {
    throw invalidOption('humanInputMode', "'ALWAYS', 'TERMINATE' or 'NEVER'", humanInputMode);
  }
  if (!(maxConsecutiveAutoReply >= 0)) {
    throw invalidOption('maxConsecutiveAutoReply', 'a number from 0 up', maxConsecutiveAutoReply);
  }
  for (const name of Object.keys(functionMap)) checkToolName(name);
  return options;
}
