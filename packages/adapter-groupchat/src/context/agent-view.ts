import type { MaybePromise } from '@teamfuse/core/kit';
import type { ChatEvent, RefusableStep, Refusal, Step, StepWork } from '@teamfuse/groupchat';
import type { GuardableAgent } from './guardable-agent.ts';

/** A link of a reply chain. It answers later only while a judge is asked. */
export type GuardReply = (
  recipient: object,
  messages: readonly ViewedMessage[] | null,
  sender: object | null,
) => MaybePromise<readonly [final: boolean, reply: string | null]>;

/** The part of a message that a guard reads. */
export interface ViewedMessage {
  readonly role?: string;
  readonly name?: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly ViewedToolCall[] | null;
  readonly function_call?: ViewedCall | null;
  readonly tool_responses?: readonly object[] | null;
}

/** A call a message asks for. */
export interface ViewedCall {
  readonly name?: string;
  readonly arguments?: string;
}

/** A call with its place in the protocol. */
export interface ViewedToolCall {
  readonly id?: string;
  readonly function: ViewedCall;
}

/** A tap in the form that agents take. */
export interface AgentTap {
  observe(event: ChatEvent): void;
  admit(step: RefusableStep): Refusal | undefined;
  around<T>(step: Step, work: StepWork<T>): Promise<T>;
}

/** Takes and keeps {@link AgentTap}s. */
export interface TapPoint {
  add(tap: AgentTap): () => void;
  observe(event: ChatEvent): void;
  around<T>(step: Step, work: StepWork<T>): Promise<T>;
}

/** An agent with all it may offer; only the first two members are certain. */
export interface AgentView {
  readonly name: string;
  registerReply(
    trigger: readonly unknown[],
    replyFunc: GuardReply,
    options: { readonly position: number },
  ): void;
  removeReplyFunc?(replyFunc: GuardReply): void;
  readonly replyFuncList?: readonly { readonly replyFunc: unknown; readonly config?: unknown }[];
  registerHook?(method: string, hook: unknown): void;
  removeHook?(method: string, hook: unknown): void;
  readonly taps?: TapPoint;
  readonly groupchat?: unknown;
  readonly client?: ModelView | null;
  /** The reply function that runs code. */
  readonly codeReply?: unknown;
}

/** An agent's way to its model. */
export interface ModelView {
  readonly model: string;
  readonly config?: {
    readonly client?: unknown;
    /** Dollars per 1,000 tokens: of the prompt, of the completion. */
    readonly price?: readonly [promptUsd: number, completionUsd: number];
    readonly extraCreateArgs?: Readonly<Record<string, unknown>>;
  };
}

/** The agent as a guard sees it. */
export function viewOf(agent: GuardableAgent | object): AgentView {
  return agent as unknown as AgentView;
}

/** Whether an agent has taps that run its steps, so that a guard knows their place. */
export function isTapped(agent: AgentView): agent is AgentView & { readonly taps: TapPoint } {
  return typeof agent.taps?.around === 'function';
}

/** The name of an agent, or of an object that was passed as one. */
export function nameOf(agent: object | null | undefined): string {
  const name = (agent as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : '';
}
