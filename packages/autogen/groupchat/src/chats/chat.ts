import type { OptionAdvice, OptionNames } from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { invalidOption } from '../errors.ts';
import type { ChatMessage, MessageContext } from '../messages/message.ts';
import { type ChatCost, gatherUsageSummary } from '../models/usage-summary.ts';
import { knownOptions } from '../option-names.ts';
import type { ChatEndReason } from '../taps/chat-event.ts';
import {
  ChatCancelled,
  type ChatLimits,
  cancellation,
  untilCancelled,
  withinLimits,
} from './cancellation.ts';
import type { Carryover } from './carryover.ts';
import { type StopKind, stopOf } from './stop.ts';
import {
  checkSummaryMethod,
  type SummaryArgs,
  type SummaryMethod,
  summarizeChat,
} from './summary.ts';

/** Computes the opening message of a chat. */
export type OpeningFunction = (
  sender: ConversableAgent,
  recipient: ConversableAgent,
  context: MessageContext,
) => string | ChatMessage | null | Promise<string | ChatMessage | null>;

/** How a chat between two agents is opened, bounded and summed up. */
export interface InitiateChatOptions<Opening = OpeningFunction> extends ChatLimits {
  /** The first message, or the function that computes it; without one a person is asked. */
  readonly message?: string | ChatMessage | Opening | null | undefined;
  /**
   * How many messages the initiator sends at most; each is answered at most once.
   * @defaultValue null (until one of the two does not answer)
   */
  readonly maxTurns?: number | null | undefined;
  /**
   * Clears the history of the two agents first.
   * @defaultValue true
   */
  readonly clearHistory?: boolean | undefined;
  /** @defaultValue false */
  readonly silent?: boolean | undefined;
  /** @defaultValue 'last_msg' */
  readonly summaryMethod?: SummaryMethod | undefined;
  /** @defaultValue \{\} */
  readonly summaryArgs?: SummaryArgs | undefined;
  /** Added to a message that is not computed. */
  readonly carryover?: Carryover | undefined;
  /** Passed to a computed message, together with `carryover`. */
  readonly context?: MessageContext | undefined;
}

/** How a chat is prepared on one side. */
export interface PrepareChatOptions {
  readonly clearHistory: boolean;
  readonly prepareRecipient: boolean;
  readonly replyAtReceive: boolean;
}

/** The options of a chat. */
export const chatOptionNames: OptionNames<InitiateChatOptions> = {
  message: true,
  maxTurns: true,
  clearHistory: true,
  silent: true,
  summaryMethod: true,
  summaryArgs: true,
  carryover: true,
  context: true,
  signal: true,
  timeoutMs: true,
};

/** Where options of AutoGen's chats went that have no name here. */
export const chatOptionAdvice: OptionAdvice = {
  cache: 'keep a cache in the model client',
  max_round: "it is an option of GroupChat, 'maxRound'",
};

/** The result of a chat. */
export interface ChatResult {
  /** A copy of the initiator's history, made when the chat ended. */
  readonly chatHistory: readonly ChatMessage[];
  readonly summary: string;
  /** The usage of both agents' models so far, including earlier chats, without members of a group. */
  readonly cost: ChatCost;
  /** The inputs of people for the initiator. */
  readonly humanInput: readonly string[];
  /** Why the chat ended, for people; the tap's own reason when one refused a step of the chat. */
  readonly stopReason: string;
  /** Why the chat ended, for programs; `refused` when a tap, such as a circuit breaker's, refused a step of it. */
  readonly stopKind: StopKind;
}

/** Runs a chat from its opening to its summary. */
export async function converse(
  sender: ConversableAgent,
  recipient: ConversableAgent,
  options: InitiateChatOptions,
): Promise<ChatResult> {
  knownOptions('initiateChat', options, chatOptionNames, chatOptionAdvice);
  const { summaryMethod = 'last_msg', summaryArgs = {} } = options;
  const maxTurns = checkMaxTurns(options.maxTurns);
  if (typeof Object(recipient).receive !== 'function') {
    throw invalidOption('recipient', 'an agent; for a group, its GroupChatManager', recipient);
  }
  const chat = async (): Promise<ChatResult> => {
    sender.emit({ kind: 'chat-start', recipient, maxTurns });
    try {
      checkSummaryMethod(summaryMethod, sender, recipient);
      const ended = await orCancelled(exchange(sender, recipient, options, maxTurns));
      const summed = summarizeChat(sender, recipient, summaryMethod, summaryArgs);
      const summary = (await orCancelled(summed)) ?? '';
      const cancelled = cancellation();
      const reason = cancelled ? 'cancelled' : (ended ?? 'no_reply');
      sender.emit({ kind: 'chat-end', recipient, reason, summary, error: null });
      const spentTurns = reason === 'max_turns' ? maxTurns : null;
      const stop = stopOf(sender, recipient, { cancelled, spentTurns });
      return {
        chatHistory: sender.conversations.with(recipient).map((message) => ({ ...message })),
        summary,
        cost: gatherUsageSummary([sender, recipient]),
        humanInput: [...sender.humanInputs],
        stopReason: stop.reason,
        stopKind: stop.kind,
      };
    } catch (error) {
      sender.emit({ kind: 'chat-end', recipient, reason: 'error', summary: null, error });
      throw error;
    }
  };
  return withinLimits(options, () => sender.inside({ kind: 'chat', recipient, maxTurns }, chat));
}

/** What a part of a chat resolves to; `undefined` when the chat is cancelled in its midst. */
async function orCancelled<T>(part: Promise<T>): Promise<T | undefined> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof ChatCancelled) return undefined;
    throw error;
  }
}

async function exchange(
  sender: ConversableAgent,
  recipient: ConversableAgent,
  options: InitiateChatOptions,
  maxTurns: number | null,
): Promise<ChatEndReason> {
  const { clearHistory = true, silent = false } = options;
  const replyAtReceive = maxTurns === null;
  sender.prepareChat(recipient, { clearHistory, prepareRecipient: true, replyAtReceive });
  if (maxTurns === null) {
    const message = await opening(sender, recipient, options);
    if (message !== null) await sender.send(message, recipient, { silent });
    return 'no_reply';
  }
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const message =
      turn === 0
        ? await opening(sender, recipient, options)
        : await sender.generateReply({
            messages: sender.conversations.with(recipient),
            sender: recipient,
          });
    if (message === null) return 'no_reply';
    const before = sender.conversations.with(recipient).length;
    await sender.send(message, recipient, { requestReply: true, silent });
    const isAnswered = sender.conversations.with(recipient).length > before + 1;
    // The sender goes on alone, as upstream, unless a tap has refused the reply.
    if (!isAnswered && recipient.refusal !== null) return 'no_reply';
  }
  return 'max_turns';
}

async function opening(
  sender: ConversableAgent,
  recipient: ConversableAgent,
  { message = null, carryover, context }: InitiateChatOptions,
): Promise<string | ChatMessage | null> {
  if (typeof message !== 'function') {
    return untilCancelled(() => sender.generateInitMessage(message, carryover));
  }
  const given = carryover === undefined ? context : { ...context, carryover };
  return untilCancelled(async () => message(sender, recipient, given ?? {}));
}

/** Returns the number of turns of a chat, `null` for no limit; rejects any other value. */
function checkMaxTurns(maxTurns: number | null | undefined): number | null {
  if (maxTurns === null || maxTurns === undefined) return null;
  if (maxTurns === Number.POSITIVE_INFINITY) return null;
  if (Number.isInteger(maxTurns) && maxTurns >= 0) return maxTurns;
  throw invalidOption('maxTurns', 'an integer from 0 up, or null for no end', maxTurns);
}
