import { hasMethods, readOr } from '@teamfuse/adapter-kit';
import type { GuardableTools } from '@teamfuse/adapter-kit/language-models';

/** An agent of the AI SDK: a `ToolLoopAgent`. */
export interface GuardableAgent {
  readonly version: string;
  readonly id: string | undefined;
  generate(options: AgentCallOptions): PromiseLike<object>;
  stream(options: AgentCallOptions): PromiseLike<object>;
}

/** What one call of an agent is given. */
export interface AgentCallOptions {
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
  readonly experimental_transform?: unknown;
}

/** The settings of an agent, and of each call once it is prepared. */
export interface CallSettings {
  readonly model?: unknown;
  readonly tools?: GuardableTools | undefined;
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  readonly prepareStep?: ((step: object) => unknown) | undefined;
}

/** A condition that ends a run between two steps. */
export type StopCondition = (given: {
  readonly steps: readonly object[];
}) => boolean | PromiseLike<boolean>;

/** Whether a value is an object of tools, and of nothing else. */
export function isToolSet(value: unknown): value is GuardableTools {
  if (typeof value !== 'object' || value === null) return false;
  const isTool = (one: unknown): boolean => Object.hasOwn(Object(one), 'inputSchema');
  return readOr(false, () => {
    const tools = Object.values(value);
    return tools.length > 0 && tools.every(isTool);
  });
}

/** Whether a value is an agent with settings that a guard can prepare. */
export function isAgent(value: unknown): value is GuardableAgent {
  return hasMethods(value, 'generate', 'stream') && settingsOf(value) !== undefined;
}

/** The settings of an agent, which it declares as private. */
export function settingsOf(agent: object): CallSettings | undefined {
  const settings: unknown = Reflect.get(agent, 'settings');
  return typeof settings === 'object' && settings !== null && 'model' in settings
    ? settings
    : undefined;
}
