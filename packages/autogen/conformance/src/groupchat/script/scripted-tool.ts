import type { ToolArguments, ToolFunction } from '@teamfuse/groupchat';
import type { ToolItem, ToolSpec } from '../vector.ts';
import { raised } from './raised-error.ts';
import type { Recorder } from './recorder.ts';
import { fill } from './rows.ts';
import type { ScriptSource } from './script-source.ts';
import { spaced } from './spaced-json.ts';

/** The body of a tool that follows a script. */
export function scriptedTool(
  agent: string,
  name: string,
  { params }: ToolSpec,
  source: ScriptSource<ToolItem>,
  recorder: Recorder,
): ToolFunction {
  return (args) => {
    if (params) checkArguments(name, params, args);
    recorder.note({ ev: 'tool', agent, name, args: { ...args } });
    const item = source.next();
    if (!item) return null;
    if ('raise' in item) throw raised(item.raise);
    if ('returns' in item) return item.returns;
    return fill(item.template, { ...textsOf(args), k: source.calls });
  };
}

// The body is a function with named parameters; what a call with others gives is Python's to say.
function checkArguments(name: string, params: readonly string[], args: ToolArguments): void {
  const unexpected = Object.keys(args).find((key) => !params.includes(key));
  if (unexpected !== undefined) {
    throw new TypeError(`${name}() got an unexpected keyword argument '${unexpected}'`);
  }
  const missing = params.filter((param) => !(param in args)).map((param) => `'${param}'`);
  if (missing.length === 0) return;
  const last = missing.length > 1 ? ` and ${missing.pop()}` : '';
  const noun = last === '' ? 'argument' : 'arguments';
  const count = missing.length + (last === '' ? 0 : 1);
  throw new TypeError(
    `${name}() missing ${count} required positional ${noun}: ${missing.join(', ')}${last}`,
  );
}

function textsOf(args: ToolArguments): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : spaced(value),
    ]),
  );
}
