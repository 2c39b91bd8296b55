import type { FunctionCall, FunctionExecutionResult } from '@teamfuse/models';
import { recordRepr } from '@teamfuse/python-compat';

/** The text of function calls in an event, in the form of Python's repr. */
export function functionCallsRepr(calls: readonly FunctionCall[]): string {
  const texts = calls.map(({ id, arguments: args, name }) =>
    recordRepr('FunctionCall', { id, arguments: args, name }),
  );
  return `[${texts.join(', ')}]`;
}

/** The text of function results in an event, in the form of Python's repr. */
export function functionResultsRepr(results: readonly FunctionExecutionResult[]): string {
  const texts = results.map(({ content, name, callId, isError = null }) =>
    recordRepr('FunctionExecutionResult', { content, name, call_id: callId, is_error: isError }),
  );
  return `[${texts.join(', ')}]`;
}
