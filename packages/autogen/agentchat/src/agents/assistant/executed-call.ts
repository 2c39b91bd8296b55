import type { FunctionCall, FunctionExecutionResult } from '@teamfuse/models';

/** A tool call of the model with its result. */
export interface ExecutedCall {
  readonly call: FunctionCall;
  readonly result: FunctionExecutionResult;
}
