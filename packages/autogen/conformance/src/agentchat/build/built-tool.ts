import {
  AgentTool,
  type BaseTool,
  FunctionTool,
  type JsonValue,
  TeamTool,
  type ToolArguments,
} from '@teamfuse/agentchat';
import { z } from 'zod';
import { VectorError } from '../messages/raised-error.ts';
import type { BehaviorSpec, ToolSpec } from '../vector.ts';
import type { Builder } from './builder.ts';

type Behavior = (args: ToolArguments) => unknown;

/** Makes a tool from its description; `owner` is the path of the agent that has it. */
export function buildTool(spec: ToolSpec, owner: string, builder: Builder): BaseTool {
  if (spec.kind === 'agent_tool') {
    return new AgentTool(builder.agent(spec.agent, owner), returnOptions(spec));
  }
  if (spec.kind === 'team_tool') {
    const { name } = spec;
    return new TeamTool(builder.team(spec.team, owner), {
      name,
      description: `runs ${name}`,
      ...returnOptions(spec),
    });
  }
  const { name, description, params } = spec;
  const behave = behavior(spec.behavior);
  return new FunctionTool({
    name,
    description,
    parameters: z.object(Object.fromEntries(params.map((param) => [param.name, typed(param)]))),
    func: (args) => {
      builder.world.noteAgent({
        agent: owner,
        event: 'tool',
        name,
        args: args as Record<string, JsonValue>,
      });
      return behave(args);
    },
  });
}

function returnOptions({
  return_value_as_last_message: last,
}: {
  readonly return_value_as_last_message?: boolean;
}): { returnValueAsLastMessage: boolean | undefined } {
  return { returnValueAsLastMessage: last };
}

function typed({ type, default: value }: { type: string; default?: JsonValue }): z.ZodType {
  const types: Readonly<Record<string, z.ZodType>> = {
    string: z.string(),
    integer: z.int(),
    number: z.number(),
    boolean: z.boolean(),
  };
  const schema = types[type];
  if (schema === undefined) throw new Error(`the vectors name an unknown parameter type: ${type}`);
  return value === undefined ? schema : schema.default(value);
}

function behavior(spec: BehaviorSpec): Behavior {
  switch (spec.kind) {
    case 'return':
    case 'report':
      return () => spec.value;
    case 'echo':
      return (args) =>
        Object.entries(args)
          .map(([name, value]) => `${name}=${String(value)}`)
          .join('|');
    case 'raise':
      return () => {
        throw new VectorError(spec.error);
      };
    case 'script': {
      const behaviors = spec.results.map(behavior);
      let at = 0;
      return (args) => behaviors[Math.min(at++, behaviors.length - 1)]?.(args);
    }
  }
}
