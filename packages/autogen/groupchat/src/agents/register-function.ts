import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOption } from '../errors.ts';
import { knownOptions } from '../option-names.ts';
import type { Tool } from '../tools/tool.ts';
import type { ConversableAgent } from './conversable-agent.ts';

/** The agent whose model calls a tool, and the agent that executes it. */
export interface ToolParties {
  readonly caller: ConversableAgent;
  readonly executor: ConversableAgent;
}

/**
 * Offers a tool to the model of one agent and lets another agent execute it.
 *
 * @example
 * ```ts
 * registerFunction(
 *   {
 *     name: 'add',
 *     description: 'Adds two numbers.',
 *     parameters: z.object({ a: z.number(), b: z.number() }),
 *     func: ({ a, b }) => a + b,
 *   },
 *   { caller: assistant, executor: user },
 * );
 * ```
 */
export function registerFunction<TSchema extends StandardSchemaV1>(
  tool: Tool<TSchema>,
  parties: ToolParties,
): void {
  const names = { caller: true, executor: true } as const;
  const { caller, executor } = knownOptions('registerFunction', parties, names);
  for (const [name, agent] of Object.entries({ caller, executor })) {
    if (typeof Object(agent).registerForLlm === 'function') continue;
    throw invalidOption(name, 'an agent', agent);
  }
  caller.registerForLlm(tool);
  executor.registerForExecution(tool);
}
