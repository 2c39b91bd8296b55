import type { GuardContext } from '../context/guard-context.ts';
import type { Scope } from '../context/scope.ts';
import type { ModelParams, PromptMessage } from './shapes.ts';

/** What the adapter knows of a run: whether there is an answer that would be lost. */
export interface Progress {
  hasAnswer: boolean;
}

export type Context = GuardContext<Progress>;

/** Finds the place of a call by what the AI SDK passes along. */
export interface CallScopes {
  /** The place of a model call. All steps of a run have the same key. */
  ofModel(key: object | string | undefined, agent: string): Scope<Progress> | undefined;
  /** Is called with each prompt before its model is. */
  onPrompt?(prompt: readonly PromptMessage[]): void;
  /** The key that all steps of a streamed call's run share. @defaultValue the headers */
  keyOfStream?(params: ModelParams): object | string;
  /** The place of a tool call. */
  ofTool(callId: string): Scope<Progress> | undefined;
  /** A streamed answer has ended before it was whole. */
  lost?(key: object | string | undefined): void;
  /** An answer has asked for these calls of tools. One that asks for none ends its run. */
  answered?(key: object | string | undefined, callIds: readonly string[]): void;
}

/** Who calls, where, and under which guard. */
export interface Caller {
  readonly context: Context;
  readonly agent: string;
  readonly scopes: CallScopes;
}
