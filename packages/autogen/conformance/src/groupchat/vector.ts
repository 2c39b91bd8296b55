import type { ChatMessage } from '@teamfuse/groupchat';
import type { Json } from '../harness/json.ts';

/** An error a script raises. */
export interface RaisedError {
  readonly type?: string;
  readonly message?: string;
}

/** Items that are used up one after the other, and what follows the last. */
export interface Script<Item> {
  readonly script?: readonly Item[];
  readonly then?: 'last' | 'cycle' | 'pass';
}

/** One step of a scripted reply function. */
export type Verdict =
  | string
  | {
      readonly final?: boolean;
      readonly reply?: string | ChatMessage | null;
      readonly template?: string;
      readonly append_message?: ChatMessage;
      readonly set_last_content?: string;
      readonly bump?: string;
      readonly push?: string;
      readonly raise?: RaisedError;
      readonly bad_return?: boolean;
    };

/** Which senders a scripted reply function is for. */
export type VectorTrigger =
  | null
  | readonly VectorTrigger[]
  | { readonly class: string }
  | { readonly name: string }
  | { readonly agent: string }
  | { readonly invalid: Json }
  | {
      readonly fn: {
        readonly sender_in?: readonly string[];
        readonly sender_is_none?: boolean;
        readonly last_speaker_in?: readonly string[];
        readonly returns?: Json;
      };
    };

/** When an agent takes a message for the last one. */
export interface TerminationSpec {
  readonly kind: string;
  readonly text?: string;
  readonly name?: string;
  readonly key?: string;
  readonly n?: number;
  readonly raise?: RaisedError;
}

/** What a scripted code execution gives. */
export type CodeOutcome =
  | { readonly exit_code: number; readonly output: string }
  | { readonly raise: RaisedError };

/** How an agent runs code. */
export interface CodeSpec {
  readonly path: 'executor' | 'legacy' | 'local' | 'legacy_local';
  readonly results?: readonly CodeOutcome[];
  readonly then?: 'last' | 'cycle' | 'pass';
  readonly last_n_messages?: number | 'auto';
  readonly timeout?: number;
}

/** An agent of a case. */
export interface AgentSpec {
  readonly name: string;
  readonly cls?: string;
  readonly system_message?: string;
  readonly description?: string;
  readonly human_input_mode?: 'ALWAYS' | 'TERMINATE' | 'NEVER';
  readonly max_consecutive_auto_reply?: number;
  readonly default_auto_reply?: string | ChatMessage | null;
  readonly is_termination_msg?: TerminationSpec;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly code_execution?: CodeSpec;
  readonly brain?: Script<Verdict>;
}

/** What a scripted selection function answers. */
export type SelectorItem =
  | string
  | { readonly agent: string }
  | { readonly method: string }
  | { readonly end: true }
  | { readonly bad: Json }
  | { readonly raise: RaisedError };

/** The manager of a group. */
interface ManagerSpec extends Omit<AgentSpec, 'name'> {
  readonly silent?: boolean;
  readonly llm_extra?: { readonly [key: string]: Json };
}

/** A group of a case. */
export interface GroupSpec {
  readonly name: string;
  readonly members: readonly string[];
  readonly messages?: readonly ChatMessage[];
  readonly manager?: ManagerSpec;
  readonly speaker_selection_method?:
    | string
    | (Script<SelectorItem> & { readonly map?: { readonly [last: string]: SelectorItem } });
  readonly allow_repeat_speaker?: Json;
  readonly transitions?: Json;
  readonly transitions_type?: string;
  readonly select_speaker_auto_model?: string;
  readonly [field: string]: unknown;
}

/** A chat in a queue, or to be initiated. */
export interface ChatSpec {
  readonly from?: string;
  readonly to?: string;
  readonly message?: string | ChatMessage | null;
  readonly message_fn?: {
    readonly template?: string;
    readonly returns?: Json;
    readonly raise?: RaisedError;
  };
  readonly max_turns?: number | null;
  readonly clear_history?: boolean;
  readonly silent?: boolean;
  readonly summary_method?: string | null;
  readonly summary_fn?: { readonly template?: string; readonly raise?: RaisedError };
  readonly summary_args?: { readonly [key: string]: Json };
  readonly carryover?: Json;
  readonly finished_chat_indexes_to_exclude_from_carryover?: readonly number[];
}

/** A setup operation or a step; the fields depend on `op`. */
export interface Operation extends ChatSpec, Script<Verdict> {
  readonly op: string;
  readonly agent?: string;
  readonly agents?: readonly string[];
  readonly fn?: string;
  readonly trigger?: VectorTrigger;
  readonly position?: number;
  readonly config?: { readonly [key: string]: Json };
  readonly reset_config?: { readonly set?: { readonly [key: string]: Json } };
  readonly remove_other_reply_funcs?: boolean;
  readonly old?: string;
  readonly new?: { readonly fn: string } & Script<Verdict>;
  readonly id?: string;
  readonly queue?: readonly ChatSpec[];
  readonly reply_func?: Script<Verdict>;
  readonly reply_func_invalid?: Json;
  readonly method?: string;
  readonly kind?: string;
  readonly text?: string;
  readonly n?: number;
  readonly raise?: RaisedError;
  readonly messages?: Json;
  readonly sender?: string | null;
  readonly exclude?: readonly string[];
  readonly show_messages?: boolean;
  readonly request_reply?: boolean;
  readonly group?: string;
  readonly from_current?: 'list' | 'string';
  readonly remove_termination_string?: string;
  readonly of?: string;
  readonly with?: string;
  readonly keep?: number;
  readonly value?: Json;
  readonly mode?: 'ALWAYS' | 'TERMINATE' | 'NEVER';
  readonly field?: string;
}

/** What the body of a tool does. */
export interface ToolSpec extends Script<ToolItem> {
  readonly params?: readonly string[];
}

/** One call of a tool. */
export type ToolItem =
  | { readonly returns: Json }
  | { readonly raise: RaisedError }
  | { readonly template: string };

/** What a scripted model answers. */
export type ModelAnswer =
  | string
  | {
      readonly content?: string | null;
      readonly tool_calls?: ChatMessage['tool_calls'];
      readonly function_call?: { readonly name: string; readonly arguments: string };
      readonly usage?: readonly [number, number];
      readonly raise?: RaisedError;
    };

/** What the recorded run showed. */
interface Expectation {
  readonly setup_error: ({ readonly at: readonly [string, number] } & ExpectedError) | null;
  readonly trace?: readonly TraceEvent[];
  readonly trace_truncated?: boolean;
  readonly steps?: readonly StepOutcome[];
  readonly state?: { readonly [part: string]: Json };
  readonly counts?: { readonly [kind: string]: Json };
}

/** An error that leaves a step. */
export interface ExpectedError {
  readonly type: string;
  readonly message?: string;
  /** A failure of Python itself: only the fact that something is thrown is meant. */
  readonly internal?: boolean;
}

/** What one step gave. */
export type StepOutcome = { readonly ok: Json } | { readonly error: ExpectedError };

/** One line of a trace. */
export interface TraceEvent {
  readonly ev: string;
  readonly [field: string]: unknown;
}

/** One recorded case. */
export interface Vector {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly needs?: readonly string[];
  readonly record_builtins?: boolean;
  readonly agents: readonly AgentSpec[];
  readonly groups?: readonly GroupSpec[];
  readonly setup?: readonly Operation[];
  readonly steps: readonly Operation[];
  readonly human?: readonly string[];
  readonly random?: readonly string[];
  readonly llm?: { readonly [model: string]: readonly ModelAnswer[] };
  readonly prices?: { readonly [model: string]: readonly [number, number] };
  readonly tools?: { readonly [name: string]: ToolSpec };
  readonly expect: Expectation;
}
