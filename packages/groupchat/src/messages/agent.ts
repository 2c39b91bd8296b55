import type { ChatMessage, Reply } from './message.ts';

/** How a message is delivered. */
export interface SendOptions {
  /**
   * Whether the recipient has to answer; when absent it answers if the two are in a running chat.
   */
  readonly requestReply?: boolean | undefined;
  /**
   * Keeps the message off the console.
   * @defaultValue false
   */
  readonly silent?: boolean | undefined;
  /** The delivery this one repeats, so that taps can fold the copies of one utterance. */
  readonly delivery?: number | undefined;
}

/** What a reply is asked for: the messages, or the peer whose history holds them. */
export interface GenerateReplyOptions {
  readonly messages?: ChatMessage[] | null | undefined;
  readonly sender?: Agent | null | undefined;
  /** Reply functions that are passed over this time. */
  readonly exclude?: readonly unknown[] | undefined;
}

/**
 * Anything that can take part in a chat.
 *
 * `instanceof Agent` looks at the members, not at the ancestry, so an object of another port counts too.
 */
export abstract class Agent {
  abstract readonly name: string;
  abstract readonly description: string;
  abstract send(
    message: string | ChatMessage,
    recipient: Agent,
    options?: SendOptions,
  ): Promise<void>;
  abstract receive(
    message: string | ChatMessage,
    sender: Agent,
    options?: SendOptions,
  ): Promise<void>;
  abstract generateReply(options?: GenerateReplyOptions): Promise<Reply>;

  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass asks for ancestry, only Agent itself for shape
    if (this !== Agent) return Function.prototype[Symbol.hasInstance].call(this, value);
    return isAgent(value);
  }
}

/** Whether a value has the members of an {@link Agent}. */
export function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null) return false;
  const { name, description, send, receive, generateReply } = value as Partial<
    Record<keyof Agent, unknown>
  >;
  return (
    typeof name === 'string' &&
    typeof description === 'string' &&
    typeof send === 'function' &&
    typeof receive === 'function' &&
    typeof generateReply === 'function'
  );
}
