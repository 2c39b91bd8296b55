import type { FunctionCall, FunctionExecutionResult } from '@teamfuse/models';

/** A tool call the model asked for, with what came of it. */
export interface ExecutedCall {
  readonly call: FunctionCall;
  readonly result: FunctionExecutionResult;
}
