import { GroupChatError } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, MessageContent } from '../messages/message.ts';
import type { ConversableAgent } from './conversable-agent.ts';

type MaybePromise<T> = T | Promise<T>;

/** The argument of a hook that runs before a message is stored. */
export interface OutgoingMessage {
  readonly sender: ConversableAgent;
  readonly message: string | ChatMessage;
  readonly recipient: Agent;
  readonly silent: boolean;
}

/** The hooks that can be registered; the return value of a hook replaces its argument. */
export interface HookMethods {
  processMessageBeforeSend: (outgoing: OutgoingMessage) => MaybePromise<string | ChatMessage>;
  processLastReceivedMessage: (content: MessageContent) => MaybePromise<MessageContent>;
  processAllMessagesBeforeReply: (messages: ChatMessage[]) => MaybePromise<ChatMessage[]>;
}

/** The hooks of one agent. */
export class MessageHooks {
  readonly #lists: { readonly [M in keyof HookMethods]: HookMethods[M][] } = {
    processMessageBeforeSend: [],
    processLastReceivedMessage: [],
    processAllMessagesBeforeReply: [],
  };

  /** Adds a hook at the end of its list. */
  register<M extends keyof HookMethods>(method: M, hook: HookMethods[M]): void {
    if (!Object.hasOwn(this.#lists, method)) {
      throw new GroupChatError('INVALID_USE', `${method} is not a hookable method.`);
    }
    const list: HookMethods[M][] = this.#lists[method];
    if (list.includes(hook)) {
      throw new GroupChatError('INVALID_USE', `${hook.name} is already registered as a hook.`);
    }
    list.push(hook);
  }

  /** Removes a hook. */
  remove<M extends keyof HookMethods>(method: M, hook: HookMethods[M]): void {
    const list: HookMethods[M][] = this.#lists[method];
    const at = list.indexOf(hook);
    if (at >= 0) list.splice(at, 1);
  }

  /** Returns the message to send. */
  async beforeSend(outgoing: OutgoingMessage): Promise<string | ChatMessage> {
    let { message } = outgoing;
    for (const hook of this.#lists.processMessageBeforeSend) {
      message = await hook({ ...outgoing, message });
    }
    return message;
  }

  /** Returns the messages to reply to: hooks run on the last content first, then on the whole list. */
  async beforeReply(messages: ChatMessage[]): Promise<ChatMessage[]> {
    const hooks = this.#lists.processLastReceivedMessage;
    let processed = hooks.length === 0 ? messages : await this.#lastReceived(messages);
    for (const hook of this.#lists.processAllMessagesBeforeReply) processed = await hook(processed);
    return processed;
  }

  // Changes the last message itself, not a copy, so that the history shows the text that was answered.
  async #lastReceived(messages: ChatMessage[]): Promise<ChatMessage[]> {
    const hooks = this.#lists.processLastReceivedMessage;
    const last = messages.at(-1);
    if (!last || !isHookable(last)) return messages;
    const given = last.content as MessageContent;
    let content = given;
    for (const hook of hooks) content = await hook(content);
    if (content === given) return messages;
    last.content = content;
    return [...messages];
  }
}

function isHookable(message: ChatMessage): boolean {
  if ('function_call' in message || 'context' in message) return false;
  const { content } = message;
  return (typeof content === 'string' || Array.isArray(content)) && content !== 'exit';
}
