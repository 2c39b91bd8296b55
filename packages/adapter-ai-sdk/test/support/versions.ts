import * as ai7 from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { z } from 'zod';
import type { GuardableAgent } from '../../src/index.ts';
import { type Answer, type Question, scripted } from './models.ts';

/** What a scripted agent is to do. */
export interface AgentScript {
  readonly name: string;
  readonly model: object;
  readonly tools: Readonly<Record<string, object>>;
}

/** What a tool is to do. */
export type Use = (
  args: Record<string, string>,
  signal: AbortSignal | undefined,
) => Promise<string>;

/** One major version of the AI SDK. */
export interface Version {
  model(modelId: string, answer: (question: Question) => Answer | Promise<Answer>): object;
  tool(use: Use): object;
  agent(script: AgentScript): GuardableAgent;
}

type ModelV4 = Pick<MockLanguageModelV4, 'doGenerate' | 'doStream'>;
type ModelV3 = Pick<MockLanguageModelV3, 'doGenerate' | 'doStream'>;

const inputSchema = z.record(z.string(), z.string());

const NEWEST: Version = {
  model: (modelId, answer) =>
    new MockLanguageModelV4({ modelId, ...(scripted(answer) as unknown as ModelV4) }),
  tool: (use) =>
    ai7.tool({ inputSchema, execute: (args, { abortSignal }) => use(args, abortSignal) }),
  agent: ({ name: id, model, tools }) =>
    new ai7.ToolLoopAgent({
      id,
      model: model as MockLanguageModelV4,
      tools: tools as ai7.ToolSet,
    }) as GuardableAgent,
};

const OLDEST: Version = {
  model: (modelId, answer) =>
    new MockLanguageModelV3({ modelId, ...(scripted(answer) as unknown as ModelV3) }),
  tool: (use) =>
    ai6.tool({ inputSchema, execute: (args, { abortSignal }) => use(args, abortSignal) }),
  agent: ({ name: id, model, tools }) =>
    new ai6.ToolLoopAgent({
      id,
      model: model as MockLanguageModelV3,
      tools: tools as ai6.ToolSet,
    }) as GuardableAgent,
};

/** The oldest and the newest version that the adapter supports. */
export const VERSIONS: Readonly<Record<'ai 7' | 'ai 6', Version>> = {
  'ai 7': NEWEST,
  'ai 6': OLDEST,
};
