import type { JsonValue } from '../json.ts';

/** What every signal carries. */
interface SignalBase {
  /** When it happened, or when it ended if it took time: milliseconds on one clock, never going back. */
  readonly at: number;
  /** Who spoke or acted. */
  readonly agent: string;
  /** The conversation's run. A new run alone does not make a new conversation. */
  readonly runId?: string;
  /**
   * How many nested chats deep it happened; 0 is the outermost conversation.
   * @defaultValue 0
   */
  readonly depth?: number;
}

/** Why a step failed. */
export interface SignalError {
  readonly message: string;
  readonly code?: string;
}

/** An agent, a proxy or the framework said something. */
export interface MessageSignal extends SignalBase {
  readonly kind: 'message';
  /** May be empty: an empty message is a message. */
  readonly text: string;
  readonly to?: string;
  /**
   * The role under which the text enters the history. `user` does not make the author a person.
   * @defaultValue 'assistant'
   */
  readonly role?: 'user' | 'assistant' | 'system';
}

/** A tool was called, or the call was turned away before it ran. */
export interface ToolCallSignal extends SignalBase {
  readonly kind: 'tool-call';
  readonly tool: string;
  readonly args: JsonValue;
  /** What the tool gave. Exactly one of `result` and `error` is there. */
  readonly result?: JsonValue;
  readonly error?: SignalError;
  /**
   * Whether the tool ran at all. A throttled, declined or denied call says nothing about the tool.
   * @defaultValue true
   */
  readonly executed?: boolean;
  readonly callId?: string;
  readonly durationMs?: number;
}

/** Code or a command was run. */
export interface ExecutionSignal extends SignalBase {
  readonly kind: 'execution';
  readonly language: string;
  readonly code: string;
  /** `null` when the process was killed. 0 does not prove success. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut?: boolean;
  readonly durationMs?: number;
}

/** A model call is about to be made; nothing is spent yet. */
export interface ModelRequestSignal extends SignalBase {
  readonly kind: 'model-request';
  readonly model: string;
  /** Ties the request to the {@link UsageSignal} that settles it. */
  readonly requestId?: string;
  /** Tokens of the prompt; missing means that nobody counted them. */
  readonly inputTokens?: number;
  readonly maxOutputTokens?: number;
  /**
   * What the call is expected to cost at most, in US dollars; `null` when the price of the model is unknown, so that a budget
   * in dollars alone refuses the call. Missing means that nobody gave an estimate.
   */
  readonly estimatedCostUsd?: number | null;
  /**
   * Whether it wraps up what was done, such as a last summary. It may use what the budget keeps back (`reserveUsd`), also
   * after the budget has stopped the conversation.
   * @defaultValue false
   */
  readonly isWrapUp?: boolean;
}

/** A model call has ended. It stands before the message the call produced. */
export interface UsageSignal extends SignalBase {
  readonly kind: 'usage';
  readonly model: string;
  readonly requestId?: string;
  /** 0/0 may mean that the provider reported nothing. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, or `null` when no price is known. */
  readonly costUsd: number | null;
  /** Whether the figures are an estimate rather than what the provider reported. */
  readonly isEstimate?: boolean;
  readonly error?: SignalError;
}

/** `agent` gives the floor or the case to `to`. */
export interface HandoffSignal extends SignalBase {
  readonly kind: 'handoff';
  readonly to: string;
  readonly text?: string;
}

/** A nested chat is about to start. */
export interface NestedStartSignal extends SignalBase {
  readonly kind: 'nested-start';
  readonly chatId: string;
  /** 1 is directly below the outermost conversation. */
  readonly depth: number;
  /** Names from the root to this chat, both included. */
  readonly path: readonly string[];
  /** What set it off, such as `reply:critic` or `tool:spawn_agent`. */
  readonly trigger: string;
  /** The task given to it. */
  readonly text?: string;
}

/** A nested chat is over. */
export interface NestedEndSignal extends SignalBase {
  readonly kind: 'nested-end';
  readonly chatId: string;
  readonly depth: number;
  readonly path: readonly string[];
  /** The summary it came back with. */
  readonly text?: string;
}

/** A person said or decided something, or did not answer; or code passed a task in. */
export interface HumanInputSignal extends SignalBase {
  readonly kind: 'human-input';
  /** At least one of `text` and `decision` is there. */
  readonly text?: string;
  /** `timeout` means that nobody answered: it is no input by a person. */
  readonly decision?: 'approve' | 'reject' | 'timeout';
  /** How long the run stood still for it, ending at `at`. */
  readonly waitedMs?: number;
  /** Whether code passed it in, such as the task of a run: it counts as new, but settles nothing before it. */
  readonly isAutomatic?: boolean;
}

/** It was settled who speaks next. */
export interface SelectionSignal extends SignalBase {
  readonly kind: 'selection';
  /** Who was chosen; `agent` is who chose. */
  readonly chosen: string;
  readonly candidates?: readonly string[];
  /** How many model calls it took. */
  readonly attempts?: number;
}

/**
 * One thing that happened in a team, as plain JSON data.
 *
 * Closed union on `kind`; {@link parseSignal} checks data from outside.
 */
export type Signal =
  | MessageSignal
  | ToolCallSignal
  | ExecutionSignal
  | ModelRequestSignal
  | UsageSignal
  | HandoffSignal
  | NestedStartSignal
  | NestedEndSignal
  | HumanInputSignal
  | SelectionSignal;

/** The tag of a {@link Signal}. */
export type SignalKind = Signal['kind'];
