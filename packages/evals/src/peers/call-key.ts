import type { Signal } from '@teamfuse/core';
import type { ExecutionSignal, JsonValue, ToolCallSignal } from '@teamfuse/core/kit';

/** What the rules of others know as a tool call: a call, or a run of code. */
export type Call = ToolCallSignal | ExecutionSignal;

/** All rules look at the same signals, so what is compared is written once for all of them. */
const keys = new WeakMap<Call, string>();
const results = new WeakMap<Call, string>();

/** Whether something was called or run. */
export function isCall(signal: Signal): signal is Call {
  return signal.kind === 'tool-call' || signal.kind === 'execution';
}

/** The tool with its arguments, their keys in order; for a run, its language with the code. */
export function callKey(call: Call): string {
  return written(keys, call, () =>
    call.kind === 'tool-call'
      ? JSON.stringify([call.tool, inOrder(call.args)])
      : JSON.stringify([call.language, call.code]),
  );
}

/** What came back, to the letter. */
export function resultKey(call: Call): string {
  return written(results, call, () =>
    call.kind === 'tool-call'
      ? JSON.stringify([call.result, call.error])
      : JSON.stringify([call.exitCode, call.output]),
  );
}

function written(memory: WeakMap<Call, string>, call: Call, write: () => string): string {
  let key = memory.get(call);
  if (key === undefined) {
    key = write();
    memory.set(call, key);
  }
  return key;
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, inOrder(inner)]));
}
