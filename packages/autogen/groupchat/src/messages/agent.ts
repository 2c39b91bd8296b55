import type { OptionNames } from '@teamfuse/python-compat';
import { knownOptions } from '../option-names.ts';
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
  /** The number of the delivery this one repeats, so that taps can recognise copies of one utterance. */
  readonly delivery?: number | undefined;
}

/** The messages to reply to, or the peer whose history holds them. */
export interface GenerateReplyOptions {
  readonly messages?: ChatMessage[] | null | undefined;
  readonly sender?: Agent | null | undefined;
  /** Reply functions to skip this time. */
  readonly exclude?: readonly unknown[] | undefined;
}

const sendOptionNames: OptionNames<SendOptions> = {
  requestReply: true,
  silent: true,
  delivery: true,
};

/** Returns the options of {@link Agent.send} and {@link Agent.receive}; rejects unknown ones. */
export function knownSendOptions(options: SendOptions): SendOptions {
  return knownOptions('send and receive', options, sendOptionNames);
}

const generateReplyNames: OptionNames<GenerateReplyOptions> = {
  messages: true,
  sender: true,
  exclude: true,
};

/** Returns the options of {@link Agent.generateReply}; rejects unknown ones. */
export function knownReplyOptions(options: GenerateReplyOptions): GenerateReplyOptions {
  return knownOptions('generateReply', options, generateReplyNames);
}

/**
 * Anything that can take part in a chat.
 *
 * `instanceof Agent` checks the members, not the class, so that agents of another port are accepted.
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
