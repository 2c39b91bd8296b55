/**
 * Language models and tools as the AI SDK specifies them, and other frameworks take them.
 *
 * @module
 */
export type { Caller, CallScopes, Context, Progress } from './caller.ts';
export { answeredIn, askedFor } from './calls.ts';
export { asLastAnswer, guardedModel, modelIn, nudged } from './guarded-model.ts';
export { guardedTools } from './guarded-tools.ts';
export {
  type ModelStep,
  type RunKey,
  streamedStep,
  tripBehind,
  wholeStep,
} from './model-step.ts';
export {
  begunStream,
  OPENED,
  type OpenedStream,
  openStream,
  type StreamedCall,
  streamOf,
} from './open-stream.ts';
export { NO_USAGE, promptOf, textOfPart } from './parts.ts';
export {
  type AnswerPart,
  type GuardableModel,
  type GuardableTool,
  type GuardableTools,
  isModel,
  type ModelAnswer,
  type ModelParams,
  type ModelStreamAnswer,
  type PromptMessage,
  type ToolCallOptions,
} from './shapes.ts';
