import type { ChatCompletionClient } from '@teamfuse/models';
import { repr } from '@teamfuse/python-compat';
import { ValueError } from '../../base/errors.ts';
import { invalidOption } from '../../base/options.ts';
import type { BaseTool } from '../../tools/tool.ts';
import { type Handoff, type HandoffOptions, handoffOf } from '../handoff.ts';

/** Checks that there is a model. */
export function checkModelClient(modelClient: ChatCompletionClient): void {
  if (typeof modelClient?.create === 'function') return;
  throw invalidOption('modelClient', 'a ChatCompletionClient', modelClient);
}

/** Checks that the model can call tools, and that their names are unique. */
export function checkTools(tools: readonly BaseTool[], { modelInfo }: ChatCompletionClient): void {
  if (!modelInfo.functionCalling) {
    throw new ValueError('The model does not support function calling.');
  }
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    throw new ValueError(`Tool names must be unique: ${repr(names)}`);
  }
}

/** Fills in handoffs, and checks that the model can use them and that their names are unique. */
export function checkedHandoffs(
  handoffs: readonly (string | HandoffOptions)[],
  tools: readonly BaseTool[],
  { modelInfo }: ChatCompletionClient,
): readonly Handoff[] {
  if (handoffs.length === 0) return [];
  if (!modelInfo.functionCalling) {
    throw new ValueError(
      'The model does not support function calling, which is needed for handoffs.',
    );
  }
  for (const handoff of handoffs) {
    if (typeof handoff !== 'string' && typeof handoff?.target !== 'string') {
      throw invalidOption('handoffs', 'names of agents, or { target }', handoff);
    }
  }
  const filled = handoffs.map(handoffOf);
  const names = filled.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    throw new ValueError(`Handoff names must be unique: ${repr(names)}`);
  }
  const taken = new Set(tools.map(({ name }) => name));
  if (filled.some(({ name, target }) => taken.has(name) || taken.has(target))) {
    throw new ValueError('Handoff names must be unique from tool names');
  }
  return filled;
}

/** Checks the number of tool rounds of a turn. */
export function checkedIterations(maxToolIterations: number): number {
  if (Number.isInteger(maxToolIterations) && maxToolIterations >= 1) return maxToolIterations;
  throw new ValueError(
    `Maximum number of tool iterations must be greater than or equal to 1, got ${maxToolIterations}`,
  );
}
