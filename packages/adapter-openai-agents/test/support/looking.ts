import {
  Agent,
  type AgentConfiguration,
  type FunctionTool,
  Runner,
  tool,
} from '@openai/agents-core';
import {
  assistantMessage,
  functionCall,
  modelResponder,
  ScriptedModel,
} from '@openai/agents-core/testing';
import { z } from 'zod';

let lastCall = 0;

/** A model that wants to look at the same place again and again, or says that it is done after so many looks. */
export function looking(
  looks: number,
  { place = () => 'sky', name = 'look' }: { place?: (at: number) => string; name?: string } = {},
): ScriptedModel {
  const steps = Array.from({ length: looks }, (_, at) => [
    functionCall(name, { at: place(at) }, { callId: `call-${lastCall++}` }),
  ]);
  return new ScriptedModel([...steps, [assistantMessage('Done.')]]);
}

/** A tool that looks at a place. */
export function look(
  execute: (at: string) => unknown = () => 'blue',
): FunctionTool<unknown, z.ZodObject<{ at: z.ZodString }>> {
  return tool({
    name: 'look',
    description: 'Looks at a place.',
    parameters: z.object({ at: z.string() }),
    execute: async ({ at }) => execute(at),
  });
}

/** An agent that looks at places. */
export function watcher(
  model: ScriptedModel,
  config: Partial<AgentConfiguration<unknown, 'text'>> = {},
): Agent {
  return new Agent({ name: 'watcher', model, tools: [look()], ...config });
}

/** A runner that sends nothing anywhere. */
export function newRunner(): Runner {
  return new Runner({
    tracingDisabled: true,
    modelProvider: { getModel: () => new ScriptedModel([modelResponder(() => [])]) },
  });
}

/** The most turns that no test reaches. */
export const NO_CAP = { maxTurns: 100 } as const;
