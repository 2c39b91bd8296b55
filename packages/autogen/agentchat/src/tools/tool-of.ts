import { shown } from '@teamfuse/python-compat';
import { z } from 'zod';
import { ValueError } from '../base/errors.ts';
import { FunctionTool } from './function-tool.ts';
import type { BaseTool } from './tool.ts';

/**
 * The tool that a value is, or that calls it: a function without arguments needs no schema.
 *
 * @throws {@link ValueError} for a function with arguments, which JavaScript cannot describe to a model, and for what
 * is no tool.
 */
export function toolOf(given: BaseTool | (() => unknown)): BaseTool {
  if (typeof given === 'function') return functionTool(given);
  if (typeof given?.runJson === 'function') return given;
  throw new ValueError(`tools: expected a tool or a function, received ${shown(given)}.`);
}

function functionTool(func: () => unknown): BaseTool {
  const { name } = func;
  if (name !== '' && func.length === 0) {
    const description = `Calls ${name}.`;
    return new FunctionTool({ name, description, parameters: z.object({}), func: () => func() });
  }
  const fields = `{ name: '${name || '…'}', description, parameters: z.object({ … }), func }`;
  throw new ValueError(
    `tools: JavaScript cannot tell a model the name and the arguments of ${shown(func)}; give new FunctionTool(${fields}).`,
  );
}
