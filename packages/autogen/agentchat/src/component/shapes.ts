import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import type { ChatAgent } from '../base/chat-agent.ts';
import type { Team } from '../base/team.ts';
import type { Memory } from '../memory/memory.ts';
import type { BaseTool } from '../tools/tool.ts';
import type { Workbench } from '../tools/workbench.ts';
import type { Expected } from './component-loader.ts';

/** Expects an object with these methods, because interfaces have no class to check. */
function having<T>(...methods: (keyof T & string)[]): Expected<T> {
  return {
    is: (value): value is T =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
  };
}

/** Expects an agent. */
export const AN_AGENT: Expected<ChatAgent> = having('onMessages', 'onMessagesStream', 'onReset');

/** Expects a team. */
export const A_TEAM: Expected<Team> = having('runStream', 'reset', 'pause');

/** Expects a model client. */
export const A_MODEL_CLIENT: Expected<ChatCompletionClient> = having('create', 'createStream');

/** Expects a code executor. */
export const A_CODE_EXECUTOR: Expected<CodeExecutor> = having('executeCodeBlocks');

/** Expects a memory. */
export const A_MEMORY: Expected<Memory> = having('updateContext', 'query');

/** Expects a workbench. */
export const A_WORKBENCH: Expected<Workbench> = having('listTools', 'callTool');

/** Expects a tool. */
export const A_TOOL: Expected<BaseTool> = having('runJson', 'returnValueAsString');
