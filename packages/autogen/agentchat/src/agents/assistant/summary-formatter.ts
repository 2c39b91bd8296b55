import type { FunctionCall, FunctionExecutionResult } from '@teamfuse/models';

/** Makes the text that stands for one tool call and its result. */
export type SummaryFormatter = (call: FunctionCall, result: FunctionExecutionResult) => string;
