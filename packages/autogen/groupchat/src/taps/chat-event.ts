import type { RequestUsage } from '@teamfuse/models';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import type { ReplyFunction } from '../replies/reply-function.ts';
import type { CodeExecution, HumanInput, ModelRequest, Nesting, ToolCall } from './step.ts';

/** The purpose of a model call: the agent's own reply, or the summary of a chat. */
export type ModelPurpose = 'reply' | 'summary';

/** Why a group run ended. */
export type RunEndReason =
  | 'max_round'
  | 'termination_msg'
  | 'no_reply'
  | 'no_eligible_speaker'
  | 'error';

/** Why a chat between two agents ended: its turns were used up, one of them did not answer, it was cancelled, or it failed. */
export type ChatEndReason = 'max_turns' | 'no_reply' | 'cancelled' | 'error';

/** An event, without the agent it belongs to. */
export type ChatEventDetails =
  /** A copy of a message was stored; copies of one utterance share `delivery`, the speaker's own comes first. */
  | {
      readonly kind: 'message';
      readonly direction: 'sent' | 'received';
      readonly peer: Agent;
      readonly message: ChatMessage;
      readonly delivery: number;
    }
  /** An admitted turn is over; its reply, if there is one, is sent next. */
  | {
      readonly kind: 'turn-end';
      readonly sender: Agent | null;
      readonly reply: Reply;
      readonly error: unknown;
    }
  | { readonly kind: 'chat-start'; readonly recipient: Agent; readonly maxTurns: number | null }
  | {
      readonly kind: 'chat-end';
      readonly recipient: Agent;
      readonly reason: ChatEndReason;
      readonly summary: unknown;
      readonly error: unknown;
    }
  /** A message entered the group: once for each, with its true author; the agent is the manager. */
  | {
      readonly kind: 'group-message';
      readonly speaker: Agent;
      readonly message: ChatMessage;
      /** Counts from 1; 0 for a message that was restored by `resume`. */
      readonly round: number;
      readonly delivery: number;
    }
  /** The next speaker was chosen, or the choice failed. */
  | {
      readonly kind: 'selection';
      readonly lastSpeaker: Agent;
      readonly speaker: Agent | null;
      readonly error: unknown;
    }
  | {
      readonly kind: 'run-end';
      readonly reason: RunEndReason;
      readonly rounds: number;
      readonly error: unknown;
    }
  /** A model is about to be called. */
  | ModelRequest
  /** A model answered or failed; `usage` is `null` when the provider reported none. */
  | {
      readonly kind: 'model-response';
      readonly purpose: ModelPurpose;
      readonly model: string;
      readonly usage: RequestUsage | null;
      readonly cached: boolean;
      readonly cost: number | null;
      readonly reply: Reply;
      readonly error: unknown;
    }
  | (ToolCall & { readonly content: string; readonly succeeded: boolean })
  | (CodeExecution & {
      readonly exitCode: number | null;
      readonly output: string;
      readonly error: unknown;
    })
  /** A person typed a message, or chose the next speaker. */
  | (HumanInput & { readonly input: string })
  /** A reply function returned, after everything it did. */
  | {
      readonly kind: 'reply';
      readonly sender: Agent | null;
      readonly replyFunc: ReplyFunction;
      readonly final: boolean;
      readonly reply: Reply;
    }
  /** A queue of nested chats was triggered; `time` counts from 1. */
  | ({ readonly kind: 'nested-start'; readonly time: number } & Nesting)
  | {
      readonly kind: 'nested-end';
      readonly nesting: object;
      readonly final: boolean;
      readonly reply: Reply;
      readonly error: unknown;
    };

/** The agent that an event or a step belongs to. */
export interface ChatEventOrigin {
  readonly agent: ConversableAgent;
  /** The manager, when the agent is one of those it hides while a speaker is chosen. */
  readonly hiddenFor: Agent | null;
}

/** An event of a chat, as taps see it. */
export type ChatEvent = ChatEventOrigin & ChatEventDetails;
