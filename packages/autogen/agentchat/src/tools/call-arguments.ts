import type { FunctionCall } from '@teamfuse/models';
import { parseJson } from '@teamfuse/python-compat';
import type { ToolArguments } from './tool.ts';

/** The arguments of a call, or an error text for the model. */
export type CallArguments =
  | { readonly kind: 'arguments'; readonly args: ToolArguments }
  | { readonly kind: 'fault'; readonly text: string };

/** Parses the model's arguments. Empty values (`null`, `[]`, `0`, `""`, `false`) become an empty object. */
export function readCallArguments({ name, arguments: text }: FunctionCall): CallArguments {
  let args: unknown;
  try {
    args = parseJson(text);
  } catch (error) {
    return { kind: 'fault', text: `Error: ${error instanceof Error ? error.message : error}` };
  }
  if (isArguments(args)) return { kind: 'arguments', args };
  if (!args || (Array.isArray(args) && args.length === 0)) return { kind: 'arguments', args: {} };
  return {
    kind: 'fault',
    text: `1 validation error for ${name}args\n  the arguments have to be an object, got ${JSON.stringify(args)}`,
  };
}

function isArguments(value: unknown): value is ToolArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
