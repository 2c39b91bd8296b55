import type { JsonObject, JsonValue } from '@teamfuse/agentchat';

/** An error as the vectors record it. */
export interface ErrorSpec {
  readonly type: string;
  readonly message: string;
  /** Of a ValidationError: where the data was wrong. */
  readonly fields?: readonly {
    readonly loc: readonly (string | number)[];
    readonly code: string;
  }[];
}

/** What a scripted function gives: a value, or an error that it throws. */
export type Scripted<T> = T | { readonly error: ErrorSpec };

/** What is common to the cases of all files. */
interface Case {
  readonly id: string;
  readonly tags?: readonly string[];
}

/** A message or event, with the recorded library's field names. */
export type MessageSpec = JsonObject & { readonly type: string };

/** How to make a condition; see the format's description, section 3. */
export type ConditionSpec = { readonly as?: string } & (
  | { readonly ref: string }
  | { readonly provider: string }
  | { readonly operator: 'and' | 'or'; readonly operands: readonly ConditionSpec[] }
  | {
      readonly class: string;
      readonly args?: JsonObject;
      readonly conditions?: readonly ConditionSpec[];
    }
);

/** A case of `conditions.jsonl`. */
export interface ConditionCase extends Case {
  readonly condition: ConditionSpec;
  readonly steps: readonly ConditionStep[];
  readonly expected: readonly JsonObject[];
  readonly construct_error?: ErrorSpec;
}

/** What is done to a condition. */
export type ConditionStep = { readonly path?: readonly number[] } & (
  | { readonly op: 'call'; readonly messages: readonly MessageSpec[] }
  | { readonly op: 'reset' }
  | { readonly op: 'set' }
  | { readonly op: 'clock'; readonly advance: number }
);

/** A reply of a model. */
export type ReplySpec =
  | string
  | {
      readonly content:
        | string
        | readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
      readonly usage?: readonly [number, number];
      readonly thought?: string;
      readonly finish_reason?: string;
      readonly cached?: boolean;
      readonly chunks?: readonly JsonValue[];
      readonly no_result?: boolean;
    };

/** A model that answers by script. */
export interface ModelSpec {
  readonly replies: readonly ReplySpec[];
  readonly model_info?: JsonObject;
}

/** A model context. */
export interface ContextSpec {
  readonly kind: string;
  readonly buffer_size?: number;
  readonly head_size?: number;
  readonly tail_size?: number;
  readonly initial_messages?: readonly JsonObject[];
}

/** What a scripted agent does when it is asked once. */
export interface TurnSpec {
  readonly effects?: readonly JsonObject[];
  readonly yields?: readonly MessageSpec[];
  readonly inner?: readonly MessageSpec[];
  readonly reply?: MessageSpec;
  readonly echo?: boolean;
  readonly error?: ErrorSpec;
  readonly no_response?: boolean;
}

/** An agent that follows a script. */
export interface ScriptedSpec {
  readonly kind: 'scripted';
  readonly name: string;
  readonly description?: string;
  readonly script: readonly TurnSpec[];
  readonly after?: 'repeat' | 'loop';
  readonly on_reset?: 'rewind' | 'keep';
  readonly produced?: readonly string[];
}

/** What a tool does. */
export type BehaviorSpec =
  | { readonly kind: 'return' | 'report'; readonly value: JsonValue }
  | { readonly kind: 'echo' }
  | { readonly kind: 'raise'; readonly error: ErrorSpec }
  | { readonly kind: 'script'; readonly results: readonly BehaviorSpec[] };

/** A tool of an assistant. */
export type ToolSpec =
  | {
      readonly kind?: undefined;
      readonly name: string;
      readonly description: string;
      readonly params: readonly {
        readonly name: string;
        readonly type: string;
        readonly default?: JsonValue;
      }[];
      readonly behavior: BehaviorSpec;
    }
  | {
      readonly kind: 'agent_tool';
      readonly agent: AgentSpec;
      readonly return_value_as_last_message?: boolean;
    }
  | {
      readonly kind: 'team_tool';
      readonly name: string;
      readonly team: TeamSpec;
      readonly return_value_as_last_message?: boolean;
    };

/** An AssistantAgent. */
export interface AssistantSpec {
  readonly kind: 'assistant';
  readonly name: string;
  readonly model: string;
  readonly description?: string;
  readonly system_message?: string | null;
  readonly tools?: readonly ToolSpec[];
  readonly handoffs?: readonly (
    | string
    | {
        readonly target: string;
        readonly name?: string;
        readonly description?: string;
        readonly message?: string;
      }
  )[];
  readonly model_context?: ContextSpec;
  readonly model_client_stream?: boolean;
  readonly reflect_on_tool_use?: boolean;
  readonly max_tool_iterations?: number;
  readonly tool_call_summary_format?: string;
  readonly output_content_type?: string;
  readonly output_content_type_format?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly memory?: readonly (readonly string[])[];
}

/** A UserProxyAgent. */
export interface UserProxySpec {
  readonly kind: 'user_proxy';
  readonly name: string;
  readonly description?: string;
  readonly inputs: readonly Scripted<string>[];
}

/** What running code gives. */
export interface ExecutionSpec {
  readonly exit_code: number;
  readonly output: string;
}

/** A CodeExecutorAgent. */
export interface CodeExecutorSpec {
  readonly kind: 'code_executor';
  readonly name: string;
  readonly description?: string;
  readonly system_message?: string | null;
  readonly model?: string;
  readonly sources?: readonly string[];
  readonly supported_languages?: readonly string[];
  readonly max_retries_on_error?: number;
  readonly model_client_stream?: boolean;
  readonly approval?: readonly { readonly approved: boolean; readonly reason: string }[];
  readonly executor: { readonly results: readonly Scripted<ExecutionSpec>[] };
}

export type AgentSpec = ScriptedSpec | AssistantSpec | UserProxySpec | CodeExecutorSpec;

/** A function of a selector team. */
export interface SelectorFunctionSpec {
  readonly results: readonly Scripted<JsonValue>[];
  readonly async?: boolean;
}

/** A team. */
export interface TeamSpec {
  readonly kind: 'RoundRobinGroupChat' | 'SelectorGroupChat' | 'Swarm';
  readonly participants: readonly (AgentSpec | TeamSpec)[];
  readonly termination?: ConditionSpec;
  readonly name?: string;
  readonly description?: string;
  readonly max_turns?: number;
  readonly emit_team_events?: boolean;
  readonly custom_message_types?: readonly string[];
  readonly model?: string;
  readonly selector_prompt?: string;
  readonly allow_repeated_speaker?: boolean;
  readonly max_selector_attempts?: number;
  readonly model_client_streaming?: boolean;
  readonly model_context?: ContextSpec;
  readonly selector_func?: SelectorFunctionSpec;
  readonly candidate_func?: SelectorFunctionSpec;
}

/** A task as a case gives it; some are wrong on purpose. */
export type TaskSpec = JsonValue;

/** Gives a team or an agent a task. */
export interface RunAction {
  readonly op: 'run' | 'run_stream';
  readonly task: TaskSpec;
  readonly output_task_messages?: boolean;
  readonly token?: true | 'cancelled';
  readonly close_after?: number;
}

/** Gives an agent messages to answer. */
export interface MessagesAction {
  readonly op: 'on_messages';
  readonly messages: readonly MessageSpec[];
}

/** Changes or reads the state of a team or an agent. */
export type StateAction =
  | { readonly op: 'reset' }
  | { readonly op: 'pause' }
  | { readonly op: 'resume' }
  | { readonly op: 'save_state'; readonly as: string }
  | { readonly op: 'load_state'; readonly from?: string; readonly state?: JsonObject };

/** Changes what a team or an agent lives in. */
type WorldAction =
  | { readonly op: 'rebuild' }
  | { readonly op: 'external_set'; readonly path?: readonly number[]; readonly team?: string }
  | { readonly op: 'clock'; readonly advance: number }
  | { readonly op: 'model_reset'; readonly model: string };

/** What is done to a team or an agent. */
export type Action = RunAction | MessagesAction | StateAction | WorldAction;

/** A case of `teams.jsonl` or `agents.jsonl`. */
export interface RunCase extends Case {
  readonly models?: Readonly<Record<string, ModelSpec>>;
  readonly team?: TeamSpec;
  readonly agent?: AgentSpec;
  readonly actions: readonly Action[];
  readonly expected: readonly JsonObject[];
  readonly construct_error?: ErrorSpec;
}

/** A case of `components.jsonl`. */
export interface ComponentCase extends Case {
  readonly op: 'roundtrip' | 'load';
  readonly models?: Readonly<Record<string, ModelSpec>>;
  readonly condition?: ConditionSpec;
  readonly context?: ContextSpec;
  readonly agent?: AgentSpec;
  readonly team?: TeamSpec;
  readonly input?: JsonValue;
  readonly expect?: string;
  readonly via?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly construct_error?: ErrorSpec;
  readonly dumped?: JsonObject;
  readonly loaded_type?: string;
  readonly reloaded_dump?: JsonObject;
}

/** A case of any file. */
export type AnyCase = ConditionCase | RunCase | ComponentCase;
