import type { CodeBlock } from '@teamfuse/code-executors';
import type { RequestUsage } from '@teamfuse/models';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import type { StepWork } from './tap.ts';

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

/** The events that can be described without reply functions and nested chats. */
export type Happening =
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
  | {
      readonly kind: 'model-request';
      readonly purpose: ModelPurpose;
      readonly model: string;
      readonly messages: readonly ChatMessage[];
    }
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
  | {
      readonly kind: 'tool-call';
      readonly name: string;
      readonly callId: string | null;
      /** JSON text as the model wrote it. */
      readonly arguments: string;
      readonly content: string;
      readonly succeeded: boolean;
    }
  | {
      readonly kind: 'code-execution';
      readonly blocks: readonly CodeBlock[];
      readonly exitCode: number | null;
      readonly output: string;
      readonly error: unknown;
    }
  /** A person typed a message, or chose the next speaker. */
  | {
      readonly kind: 'human-input';
      readonly purpose: 'message' | 'speaker';
      readonly prompt: string;
      readonly input: string;
    };

/** The steps that can be described without nested chats. */
export type Step =
  | {
      readonly kind: 'turn';
      readonly sender: Agent | null;
      readonly messages: readonly ChatMessage[];
    }
  | {
      readonly kind: 'model-request';
      readonly purpose: ModelPurpose;
      readonly model: string;
      readonly messages: readonly ChatMessage[];
    }
  | {
      readonly kind: 'tool-call';
      readonly name: string;
      readonly callId: string | null;
      readonly arguments: string;
    }
  | { readonly kind: 'code-execution'; readonly blocks: readonly CodeBlock[] }
  /** A manager is about to choose the next speaker. */
  | { readonly kind: 'selection'; readonly lastSpeaker: Agent };

/** Reports to taps, as the code that does the work sees it. */
export interface Emitter<THappening = Happening> {
  emit(happening: THappening): void;
}

/** What is no step, but done inside the taps like one. */
export type Occupation =
  | { readonly kind: 'chat'; readonly recipient: Agent; readonly maxTurns: number | null }
  /** A person is asked. */
  | {
      readonly kind: 'human-input';
      readonly purpose: 'message' | 'speaker';
      readonly prompt: string;
    };

/** Takes steps inside the taps, as the code that is about to do something sees it. */
export interface Admitter<TUndertaking = Step> {
  /** Resolves to `false` when a tap refused the step. */
  admit(undertaking: TUndertaking): Promise<boolean>;
  /** Does the work of a step, unless a tap refuses it: then it resolves to `undefined`. */
  step<T>(undertaking: TUndertaking, work: StepWork<T>): Promise<T | undefined>;
  /** Does what needs no permission. */
  inside<T>(occupation: Occupation, work: StepWork<T>): Promise<T>;
}
