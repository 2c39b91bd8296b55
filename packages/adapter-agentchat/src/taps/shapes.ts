import type { CodeBlock } from '@teamfuse/adapter-kit';
import type { ChatAgent, TaskRunner, Team, Workbench } from '@teamfuse/agentchat';

/** A team, or an agent that runs by itself. */
export interface Runner extends TaskRunner {
  readonly name: string;
}

/** The part of a model's message that a guard reads. */
export interface ModelMessage {
  readonly type: string;
  readonly content: unknown;
  readonly source?: string;
}

/** The part of a model's answer that a guard reads. */
export interface ModelAnswer {
  readonly content: unknown;
  readonly thought?: string | null;
  readonly usage?: object | null;
  readonly cached?: boolean;
}

/** The options of a model call that a guard reads. */
export interface ModelCallOptions {
  readonly tools?: readonly never[];
  readonly toolChoice?: unknown;
  readonly extraCreateArgs?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

/** Any client of a model; not every one streams. */
export interface ModelClient {
  readonly model?: string;
  create(messages: readonly ModelMessage[], options?: ModelCallOptions): Promise<ModelAnswer>;
  createStream?(
    messages: readonly ModelMessage[],
    options?: ModelCallOptions,
  ): AsyncIterable<string | ModelAnswer>;
}

/** The member by which agents and teams hold their client. */
const CLIENT = 'modelClient';

/** Anything that runs code. */
export interface Executor {
  executeCodeBlocks(
    blocks: readonly CodeBlock[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<{ readonly exitCode: number; readonly output: string }>;
}

/** Whether a value is a client of a model. One that only creates is known by its `modelInfo`, or by the member that holds it. */
export function isModelClient(value: unknown, member?: string): value is ModelClient {
  if (!hasMethods(value, 'create')) return false;
  return hasMethods(value, 'createStream') || member === CLIENT || isObject(value, 'modelInfo');
}

/** Whether a value is a set of tools. */
export function isWorkbench(value: unknown): value is Workbench {
  return hasMethods(value, 'listTools', 'callTool');
}

/** Whether a value runs code. */
export function isExecutor(value: unknown): value is Executor {
  return hasMethods(value, 'executeCodeBlocks');
}

/** Whether a value is an agent that can be asked. */
export function isAgent(value: unknown): value is ChatAgent {
  return hasMethods(value, 'onMessages', 'onMessagesStream');
}

/** Whether a value is a team. */
export function isGroup(value: unknown): value is Team {
  if (!hasMethods(value, 'run', 'runStream')) return false;
  try {
    return 'participants' in value && Array.isArray(value.participants);
  } catch {
    return false;
  }
}

function isObject(value: object, member: string): boolean {
  try {
    return typeof (value as Record<string, unknown>)[member] === 'object';
  } catch {
    return false;
  }
}

function hasMethods(value: unknown, ...methods: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const members = value as Record<string, unknown>;
    return methods.every((method) => typeof members[method] === 'function');
  } catch {
    return false;
  }
}
