import type { TurnSignal } from '@teamfuse/cli';
import type { ExecutionSignal, ToolCallSignal } from '@teamfuse/core/kit';
import { answerOf, codeOf } from './written-call.ts';

/**
 * Every call as a run by the agent that made it: the tool is the language, the arguments are the code, and what it gave is the
 * output. The exit code is 1 where the call came back with an error.
 */
export function asExecutions(signals: readonly TurnSignal[]): readonly TurnSignal[] {
  if (!signals.some(({ signal }) => signal.kind === 'tool-call')) return signals;
  return signals.map((one) =>
    one.signal.kind === 'tool-call' ? { turn: one.turn, signal: toExecution(one.signal) } : one,
  );
}

function toExecution(call: ToolCallSignal): ExecutionSignal {
  const { at, agent, tool, error } = call;
  const run = { language: tool, code: codeOf(call), exitCode: error === undefined ? 0 : 1 };
  return { kind: 'execution', at, agent, ...run, output: answerOf(call) };
}
