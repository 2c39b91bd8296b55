import type { StandardSchemaV1 } from '@standard-schema/spec';
import { unlessHung } from '../chats/cancellation.ts';
import { withCarryover } from '../chats/carryover.ts';
import { type ChatResult, converse, type InitiateChatOptions } from '../chats/chat.ts';
import { initiateChats, type QueuedChat } from '../chats/chat-queue.ts';
import {
  knownNestedOptions,
  type NestedChat,
  nestedChatReply,
  type RegisterNestedChatsOptions,
} from '../chats/nested-chat.ts';
import { noReply } from '../chats/stop.ts';
import { GroupChatError } from '../errors.ts';
import { humanInput } from '../io/human-input.ts';
import { receivedText } from '../io/received-text.ts';
import {
  type Agent,
  type GenerateReplyOptions,
  knownReplyOptions,
  knownSendOptions,
  type SendOptions,
} from '../messages/agent.ts';
import { storedMessage } from '../messages/conversations.ts';
import { markDelivery, nextDelivery } from '../messages/delivery.ts';
import type { ChatMessage, FunctionCallRequest, Reply } from '../messages/message.ts';
import { ModelAccess } from '../models/model-access.ts';
import { type UsageMode, usageText } from '../models/usage-text.ts';
import { registerBuiltInReplies, warnOfOverrides } from '../replies/built-in-replies.ts';
import { codeExecutionReply } from '../replies/code-execution.ts';
import type { ReplyFunction } from '../replies/reply-function.ts';
import { saysTerminate } from '../replies/termination-reply.ts';
import type { Trigger } from '../replies/trigger.ts';
import {
  type FunctionOutcome,
  runFunction,
  type ToolCallOptions,
  type ToolFunction,
} from '../tools/execute-function.ts';
import { equipWithTool, offerTool, type ToolBody, type ToolSignature } from '../tools/tool.ts';
import {
  type ConversableAgentOptions,
  checkAgentOptions,
  type HumanInputMode,
  type TerminationTest,
} from './agent-options.ts';
import { TappedAgent } from './tapped-agent.ts';

/**
 * An agent that receives messages and answers them through a chain of reply functions.
 *
 * @example
 * ```ts
 * const alice = new ConversableAgent({ name: 'alice', defaultAutoReply: 'Hello back.' });
 * const bob = new ConversableAgent({ name: 'bob' });
 * const { summary } = await bob.initiateChat(alice, { message: 'Hello.', maxTurns: 1 });
 * summary; // => 'Hello back.'
 * ```
 */
export class ConversableAgent extends TappedAgent {
  readonly name: string;
  readonly description: string;
  humanInputMode: HumanInputMode;
  defaultAutoReply: Reply;
  isTerminationMsg: TerminationTest;
  /** The model access; `null` without a model. */
  client: ModelAccess | null;
  /** The reply function that runs code; `null` when code execution is off. */
  readonly codeReply: ReplyFunction | null;
  readonly silent: boolean | undefined;
  readonly functionMap: Map<string, ToolFunction>;
  #systemMessage: string;
  #finishedChats: ChatResult[] = [];

  constructor(options: ConversableAgentOptions) {
    super(checkAgentOptions(options));
    const { systemMessage = 'You are a helpful AI Assistant.', llmConfig = false } = options;
    this.name = options.name;
    this.#systemMessage = systemMessage;
    this.description = options.description ?? systemMessage;
    this.humanInputMode = options.humanInputMode ?? 'TERMINATE';
    this.defaultAutoReply = options.defaultAutoReply === undefined ? '' : options.defaultAutoReply;
    this.isTerminationMsg = options.isTerminationMsg ?? saysTerminate;
    this.client = llmConfig ? new ModelAccess(llmConfig) : null;
    this.codeReply = codeExecutionReply(options.codeExecutionConfig ?? false);
    this.silent = options.silent;
    this.functionMap = new Map(Object.entries(options.functionMap ?? {}));
    registerBuiltInReplies(this.replies, this.codeReply);
    warnOfOverrides(this);
  }

  /** The instructions for the model. */
  get systemMessage(): string {
    return this.#systemMessage;
  }

  /** The system message in the form a model gets it. */
  get systemMessages(): ChatMessage[] {
    return [{ role: 'system', content: this.#systemMessage }];
  }

  /** Replaces the instructions for the model. */
  updateSystemMessage(systemMessage: string): void {
    this.#systemMessage = systemMessage;
  }

  /** Makes the agent run chats of its own before it answers a sender that the trigger accepts. */
  registerNestedChats(
    chatQueue: readonly NestedChat[],
    trigger: Trigger,
    given: RegisterNestedChatsOptions = {},
  ): ReplyFunction {
    const { replyFuncFromNestedChats, position = 2, ...options } = knownNestedOptions(given);
    const replyFunc = nestedChatReply(chatQueue, replyFuncFromNestedChats);
    this.replies.register(trigger, replyFunc, { ...options, position });
    return replyFunc;
  }

  /** Runs the hooks on a message, stores it and delivers it. */
  async send(
    message: string | ChatMessage,
    recipient: Agent,
    options: SendOptions = {},
  ): Promise<void> {
    const { requestReply, silent = false, delivery = nextDelivery() } = knownSendOptions(options);
    const outgoing = await this.hooks.beforeSend({ sender: this, message, recipient, silent });
    const stored = storedMessage(outgoing, 'assistant', this.name);
    this.conversations.with(recipient).push(stored);
    markDelivery(stored, delivery);
    this.emit({ kind: 'message', direction: 'sent', peer: recipient, message: stored, delivery });
    await recipient.receive(outgoing, this, { requestReply, silent, delivery });
  }

  /** Stores a message, and answers it if a reply is requested. */
  async receive(
    message: string | ChatMessage,
    sender: Agent,
    options: SendOptions = {},
  ): Promise<void> {
    const { requestReply, silent = false, delivery = nextDelivery() } = knownSendOptions(options);
    const stored = storedMessage(message, 'user', sender.name);
    const history = this.conversations.with(sender);
    history.push(stored);
    markDelivery(stored, delivery);
    this.emit({ kind: 'message', direction: 'received', peer: sender, message: stored, delivery });
    const isSilent = (sender instanceof ConversableAgent ? sender.silent : undefined) ?? silent;
    if (!isSilent) this.io.print(receivedText(message, sender, this));
    if (!(requestReply ?? this.replyAtReceive.get(sender) ?? false)) return;
    const reply = await this.generateReply({ messages: history, sender });
    if (reply !== null) await this.send(reply, sender, { silent });
  }

  /** Makes a reply through the chain, without sending it; `null` means no reply. */
  async generateReply(options: GenerateReplyOptions = {}): Promise<Reply> {
    const { messages = null, sender = null, exclude = [] } = knownReplyOptions(options);
    if (messages === null && sender === null) {
      throw new GroupChatError(
        'INVALID_USE',
        'Either messages=None or sender=None must be provided.',
      );
    }
    const history = messages ?? this.conversations.with(sender);
    const reply = await this.step({ kind: 'turn', sender, messages: history }, () =>
      this.#turn(history, sender, exclude),
    );
    return reply ?? null;
  }

  async #turn(
    history: ChatMessage[],
    sender: Agent | null,
    exclude: readonly unknown[],
  ): Promise<Reply> {
    this.silences.delete(sender);
    try {
      const given = await unlessHung(async () => {
        const processed = await this.hooks.beforeReply(history);
        return this.replies.run(this, processed, sender, exclude);
      });
      const reply = given === undefined ? this.defaultAutoReply : given;
      if (reply !== null) this.silences.delete(sender);
      else if (!this.silences.has(sender)) this.silences.set(sender, noReply(this));
      this.emit({ kind: 'turn-end', sender, reply, error: null });
      return reply;
    } catch (error) {
      this.emit({ kind: 'turn-end', sender, reply: null, error });
      throw error;
    }
  }

  /** Opens a chat with another agent and runs it to its end. */
  initiateChat(
    recipient: ConversableAgent,
    options: InitiateChatOptions = {},
  ): Promise<ChatResult> {
    return converse(this, recipient, options);
  }

  /** Runs chats one after the other; this agent is their sender where none is named. */
  async initiateChats(queue: readonly QueuedChat[]): Promise<ChatResult[]> {
    const chats = queue.map((chat) => ({ ...chat, sender: chat.sender ?? this }));
    this.#finishedChats = await initiateChats(chats);
    return this.#finishedChats;
  }

  /** The results of the queue of chats that this agent ran last. */
  getChatResults(): readonly ChatResult[] {
    return this.#finishedChats;
  }

  /** The opening message of a chat; a person is asked for it when there is none. */
  async generateInitMessage(
    message: string | ChatMessage | null,
    carryover?: unknown,
  ): Promise<string | ChatMessage> {
    return withCarryover(message ?? (await this.getHumanInput('>')), carryover);
  }

  /** Clears histories, counts and usage, and restores the configs of the reply functions. */
  reset(): void {
    this.clearHistory();
    this.autoReplies.reset();
    this.replyAtReceive.clear();
    this.client?.clearUsageSummary();
    this.replies.reset();
  }

  /** Asks a person. */
  getHumanInput(prompt: string): Promise<string> {
    return humanInput(this, 'message', prompt);
  }

  /** Executes one function a model asked for. */
  executeFunction(call: FunctionCallRequest, options?: ToolCallOptions): Promise<FunctionOutcome> {
    return runFunction(this, call, options);
  }

  /** Offers a tool to this agent's model; replaces a tool of the same name. */
  registerForLlm(signature: ToolSignature): void {
    offerTool(this, signature);
  }

  /** Lets this agent execute a tool; its arguments are checked first. */
  registerForExecution<TSchema extends StandardSchemaV1>(body: ToolBody<TSchema>): void {
    equipWithTool(this, body);
  }

  /** Prints the usage of this agent's model. */
  printUsageSummary(mode?: UsageMode): void {
    this.io.print(usageText(this.name, this.client, mode));
  }

  /** Whether this agent has all functions of these names. */
  canExecuteFunction(names: string | readonly string[]): boolean {
    const asked = typeof names === 'string' ? [names] : names;
    return asked.every((name) => this.functionMap.has(name));
  }
}
