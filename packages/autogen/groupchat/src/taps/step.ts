import type { CodeBlock } from '@teamfuse/code-executors';
import type { NestedChat } from '../chats/nested-chat.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { ChatEventOrigin, ModelPurpose } from './chat-event.ts';

/** A model is to be called. */
export interface ModelRequest {
  readonly kind: 'model-request';
  readonly purpose: ModelPurpose;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

/** A tool or a function is to be executed. */
export interface ToolCall {
  readonly kind: 'tool-call';
  readonly name: string;
  readonly callId: string | null;
  /** JSON text as the model wrote it. */
  readonly arguments: string;
}

/** Code is to be run. */
export interface CodeExecution {
  readonly kind: 'code-execution';
  readonly blocks: readonly CodeBlock[];
}

/** A person is asked for a message, or for the next speaker. */
export interface HumanInput {
  readonly kind: 'human-input';
  readonly purpose: 'message' | 'speaker';
  readonly prompt: string;
}

/** What triggers a queue of nested chats; `nesting` is one object per registration. */
export interface Nesting {
  readonly nesting: object;
  readonly queue: readonly NestedChat[];
  readonly sender: Agent | null;
  readonly trigger: ChatMessage | null;
}

/** A step that taps may refuse, without the agent that takes it. */
export type RefusableStepDetails =
  | {
      readonly kind: 'turn';
      readonly sender: Agent | null;
      readonly messages: readonly ChatMessage[];
    }
  | ModelRequest
  | ToolCall
  | CodeExecution
  | ({ readonly kind: 'nested-chat' } & Nesting)
  /** A manager is about to choose the next speaker. */
  | { readonly kind: 'selection'; readonly lastSpeaker: Agent };

/** A step for which no permission is asked, without the agent that takes it. */
export type UnaskedStepDetails =
  | { readonly kind: 'chat'; readonly recipient: Agent; readonly maxTurns: number | null }
  | HumanInput;

/** The agent that takes a step. */
export interface StepOrigin extends ChatEventOrigin {
  /** Aborts when the chat is cancelled; absent where nothing can cancel it. */
  readonly signal?: AbortSignal;
}

/** A step that taps may refuse. */
export type RefusableStep = StepOrigin & RefusableStepDetails;

/** A step, as taps see it: one that they may refuse, a chat, or a question to a person. */
export type Step = RefusableStep | (StepOrigin & UnaskedStepDetails);
