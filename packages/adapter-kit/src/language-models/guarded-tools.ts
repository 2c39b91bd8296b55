import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';
import { guardExecute } from '../steps/execute-tool.ts';
import type { Caller } from './caller.ts';
import type { GuardableTool, GuardableTools } from './shapes.ts';

const originals: WeakMap<object, { readonly tool: GuardableTool; readonly breaker: Breaker }> =
  new WeakMap();

/** The tools, each refused before its effect. Tools that run elsewhere stay as they are. */
export function guardedTools<T extends GuardableTools>(tools: T, caller: Caller): T {
  return orInvalid('tools', 'an object of tools', tools, () => {
    if (typeof tools !== 'object')
      throw new InvalidOptionError('tools', 'an object of tools', tools);
    const guarded = Object.entries(tools).map(([name, tool]) => [
      name,
      guardedTool(name, tool, caller),
    ]);
    return Object.fromEntries(guarded) as T;
  });
}

/** A tool that this breaker guards already is guarded anew, once. */
function guardedTool(name: string, given: GuardableTool, caller: Caller): GuardableTool {
  const { context, agent, scopes } = caller;
  const known = originals.get(given);
  const tool = known?.breaker === context.breaker ? known.tool : given;
  if (typeof tool.execute !== 'function') return tool;
  const original = tool.execute;
  const execute: typeof original = guardExecute(context, original, (args, options) => ({
    agent,
    tool: name,
    args,
    callId: options.toolCallId,
    signal: options.abortSignal,
    refusedAs: (text) => text,
    scope: context.isActive ? scopes.ofTool(options.toolCallId) : undefined,
    work: (abortSignal) => original.call(tool, args, { ...options, abortSignal }),
  }));
  const guarded = { ...tool, execute };
  originals.set(guarded, { tool, breaker: context.breaker });
  return guarded;
}
