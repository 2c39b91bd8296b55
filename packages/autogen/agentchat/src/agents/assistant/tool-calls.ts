import type { FunctionCall } from '@teamfuse/models';
import { concurrently } from '../../async/concurrently.ts';
import { interruptible } from '../../async/interruptible.ts';
import type { ChatItem } from '../../messages/chat-item.ts';
import { readCallArguments } from '../../tools/call-arguments.ts';
import type { ToolCallOptions } from '../../tools/tool.ts';
import { failure, type Workbench } from '../../tools/workbench.ts';
import type { Handoff } from '../handoff.ts';
import type { ExecutedCall } from './executed-call.ts';

/** The tools and handoffs that calls may use. */
export interface CallTargets {
  readonly workbenches: readonly Workbench[];
  readonly handoffs: readonly Handoff[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Executes all calls of one model reply at once, yields the items they stream, and returns the results in call order.
 *
 * @throws only for a cancelled turn and for a guard's refusal; running calls are then aborted.
 */
export async function* executeCalls(
  calls: readonly FunctionCall[],
  targets: CallTargets,
): AsyncGenerator<ChatItem, readonly ExecutedCall[]> {
  const ended = new AbortController();
  const { signal: outer } = targets;
  const signal = outer === undefined ? ended.signal : AbortSignal.any([outer, ended.signal]);
  let isComplete = false;
  try {
    const runs = calls.map((call) => interruptible(execute(call, { ...targets, signal }), signal));
    const executed = yield* concurrently(runs);
    isComplete = true;
    return executed;
  } finally {
    if (!isComplete) ended.abort();
  }
}

async function* execute(
  call: FunctionCall,
  { workbenches, handoffs, signal }: CallTargets,
): AsyncGenerator<ChatItem, ExecutedCall> {
  const { id: callId, name } = call;
  const executed = (content: string, isError: boolean): ExecutedCall => ({
    call,
    result: { content, name, callId, isError },
  });
  const read = readCallArguments(call);
  if (read.kind === 'fault') return executed(read.text, true);
  const handoff = handoffs.find((candidate) => candidate.name === name);
  if (handoff !== undefined) return executed(handoff.message, false);
  try {
    const workbench = await offering(workbenches, name);
    if (workbench === undefined) {
      return executed(`Error: tool '${name}' not found in any workbench`, true);
    }
    const options: ToolCallOptions = signal === undefined ? { callId } : { callId, signal };
    const result =
      workbench.callToolStream === undefined
        ? await workbench.callTool(name, read.args, options)
        : yield* workbench.callToolStream(name, read.args, options);
    return executed(result.content, result.isError);
  } catch (error) {
    return executed(failure(name, error, signal).content, true);
  }
}

async function offering(
  workbenches: readonly Workbench[],
  name: string,
): Promise<Workbench | undefined> {
  for (const workbench of workbenches) {
    const offered = await workbench.listTools();
    if (offered.some((tool) => tool.name === name)) return workbench;
  }
  return undefined;
}
