import type { TokenUsage } from '@teamfuse/prices';
import type { JsonValue } from '../common/json.ts';

interface SignalBase {
  /** When it happened or ended, in milliseconds on one clock; never decreasing. */
  readonly at: number;
  /** Who spoke or acted. */
  readonly agent: string;
  /** The run. A new run does not begin a new conversation. */
  readonly runId?: string;
  /**
   * The depth of nested chats; 0 is the outermost conversation.
   * @defaultValue 0
   */
  readonly depth?: number;
}

/** Why a step failed. */
export interface SignalError {
  readonly message: string;
  readonly code?: string;
  /** The HTTP status, from 400 to 599, that a service answered with. */
  readonly status?: number;
}

/** An agent, a proxy or the framework said something. */
export interface MessageSignal extends SignalBase {
  readonly kind: 'message';
  /** May be empty. */
  readonly text: string;
  readonly to?: string;
  /**
   * The role of the text in the history. `user` does not mean that the author is a person.
   * @defaultValue 'assistant'
   */
  readonly role?: 'user' | 'assistant' | 'system';
}

/** A tool was called, or the call was turned away before it ran. */
export interface ToolCallSignal extends SignalBase {
  readonly kind: 'tool-call';
  readonly tool: string;
  readonly args: JsonValue;
  /** What the tool returned. Exactly one of `result` and `error` is required. */
  readonly result?: JsonValue;
  readonly error?: SignalError;
  /**
   * Whether the tool ran. A throttled, declined or denied call says nothing about the tool.
   * @defaultValue true
   */
  readonly executed?: boolean;
  readonly callId?: string;
  readonly durationMs?: number;
  /**
   * Whether it was stopped before it ended, by its caller or an open circuit. It counts for declared limits, and says nothing
   * about what was called.
   * @defaultValue false
   */
  readonly isGivenUp?: boolean;
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
  /**
   * Whether it was stopped before it ended, by its caller or an open circuit. It counts for declared limits, and says nothing
   * about what was called.
   * @defaultValue false
   */
  readonly isGivenUp?: boolean;
}

/** A model call is about to be made; nothing is spent yet. */
export interface ModelRequestSignal extends SignalBase {
  readonly kind: 'model-request';
  readonly model: string;
  /** Ties the request to the {@link UsageSignal} that settles it. */
  readonly requestId?: string;
  /** Tokens of the prompt, if counted. */
  readonly inputTokens?: number;
  /** The most tokens of one answer. */
  readonly maxOutputTokens?: number;
  /**
   * How many answers are asked for at once.
   * @defaultValue 1
   */
  readonly answers?: number;
  /**
   * The most that the call is expected to cost, in US dollars; `null` when the price of the model is unknown, so that a budget
   * in dollars alone refuses the call.
   * @defaultValue the price of the prompt and of `maxOutputTokens`, or of a long answer (4,096 tokens, or the longest of the model so far), by the breaker's `prices`
   */
  readonly estimatedCostUsd?: number | null;
  /**
   * What the call costs with a usual answer, in US dollars. A call that is alone, with nothing else reserved in its purses, begins while that is left of them.
   * @defaultValue `estimatedCostUsd`; without it, as that with an average answer of the model
   */
  readonly usualCostUsd?: number;
  /**
   * Whether it wraps up the work, such as a final summary. It may use the reserve of the budget (`reserveUsd`), even after the
   * budget has stopped the conversation.
   * @defaultValue false
   */
  readonly isWrapUp?: boolean;
  /** For whom the call is made, whose purse it is charged to as well (`budget.perUser`). */
  readonly user?: string;
  /** The team or the customer for whom the call is made. It has a purse, too (`budget.perTeam`). */
  readonly team?: string;
  /** A name for the API key that pays for the call, never the key itself. It has a purse, too (`budget.perKey`). */
  readonly key?: string;
}

/** A model call has ended. Report it before the message that the call produced. Where both numbers of tokens are 0, nothing may have been reported. */
export interface UsageSignal extends SignalBase, TokenUsage {
  readonly kind: 'usage';
  /** The model that was asked. */
  readonly model: string;
  /** The model that answered, by whose price the call is priced. @defaultValue `model` */
  readonly responseModel?: string;
  readonly requestId?: string;
  /** US dollars; `null` if the price is unknown. If it is missing, the breaker fills it in by its `prices`. */
  readonly costUsd?: number | null;
  /** Whether the figures are estimated rather than reported by the provider. */
  readonly isEstimate?: boolean;
  /**
   * Whether the tokens are only those that were seen, because the answer broke off or came without usage. The call counts as
   * its reservation then if that is more; once `outputTokens` have come, up to a tenth more than what was seen.
   * @defaultValue false
   */
  readonly isPartial?: boolean;
  /**
   * Whether it was stopped before it ended, by its caller or an open circuit. It counts for declared limits, and says nothing
   * about what was called.
   * @defaultValue false
   */
  readonly isGivenUp?: boolean;
  /** How often the answer said `repeated`, one after the other, when it was cut off for that. @defaultValue it was not */
  readonly repetitions?: number;
  /** What it repeated. */
  readonly repeated?: string;
  readonly error?: SignalError;
}

/** `agent` hands over to `to`. */
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
  /** The names from the root to this chat, inclusive. */
  readonly path: readonly string[];
  /** What started it, such as `reply:critic` or `tool:spawn_agent`. */
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
  /** Its summary. */
  readonly text?: string;
}

/** A person said or decided something, or did not answer; or code set a task. */
export interface HumanInputSignal extends SignalBase {
  readonly kind: 'human-input';
  /** At least one of `text` and `decision` is required. */
  readonly text?: string;
  /** `timeout` means that nobody answered, which is no human input. */
  readonly decision?: 'approve' | 'reject' | 'timeout';
  /** How long the run waited for it, until `at`. */
  readonly waitedMs?: number;
  /** Whether it came from code, such as the task of a run: it counts as new, but does not clear earlier suspicion. */
  readonly isAutomatic?: boolean;
}

/**
 * The guard told the team of a finding. It is no step, and what the team repeats of it is nothing new. Guards report it where the
 * text is handed over.
 */
export interface NoticeSignal extends SignalBase {
  readonly kind: 'notice';
  readonly text: string;
}

/** The next speaker was chosen. */
export interface SelectionSignal extends SignalBase {
  readonly kind: 'selection';
  /** The next speaker; `agent` made the choice. */
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
  | SelectionSignal
  | NoticeSignal;

/** Each member of `T`, with `at` optional. */
export type Untimed<T extends { readonly at: number }> = T extends unknown
  ? Omit<T, 'at'> & { readonly at?: number | undefined }
  : never;

/** A {@link Signal} whose `at` may be missing; the breaker's clock fills it in. */
export type SignalInput = Untimed<Signal>;

/** The tag of a {@link Signal}. */
export type SignalKind = Signal['kind'];
