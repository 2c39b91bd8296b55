import type { JsonValue, ToolCallSignal } from '@teamfuse/core/kit';
import { fenced } from './code-block.ts';

/** The code of a call: its argument, where that is a single text, or all its arguments as JSON. */
export function codeOf({ args }: ToolCallSignal): string {
  return soleText(args) ?? JSON.stringify(args);
}

/** A call as people write it into a text: a block of code, or JSON where it has other arguments than one text. */
export function writtenCall(call: ToolCallSignal): string {
  const text = soleText(call.args);
  if (text !== undefined) return fenced(call.tool, text);
  return fenced('json', JSON.stringify({ name: call.tool, arguments: call.args }));
}

/** What a call gave, as text. */
export function answerOf({ result = null, error }: ToolCallSignal): string {
  if (error !== undefined) return error.message;
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function soleText(args: JsonValue): string | undefined {
  if (typeof args === 'string') return args;
  if (typeof args !== 'object' || args === null) return undefined;
  const [first, ...others] = Object.values(args);
  return typeof first === 'string' && others.length === 0 ? first : undefined;
}
