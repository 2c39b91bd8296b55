export type {
  ChatCompletionClient,
  CreateOptions,
  CreateResult,
  FinishReason,
  JsonOutputSchema,
  ModelInfo,
  RequestUsage,
  ToolSchema,
} from './client.ts';
export {
  ModelClientError,
  type ModelClientErrorCode,
  type ModelClientErrorOptions,
} from './errors.ts';
export type {
  AssistantMessage,
  FunctionCall,
  FunctionExecutionResult,
  FunctionExecutionResultMessage,
  ImagePart,
  LLMMessage,
  SystemMessage,
  UserMessage,
} from './messages.ts';
export type { CreateArgOptions } from './openai/create-args.ts';
export { modelInfoOf } from './openai/model-family.ts';
export {
  OpenAIChatCompletionClient,
  type OpenAIChatCompletionClientOptions,
  type OpenAISettings,
} from './openai/openai-chat-completion-client.ts';
export {
  type ReplayCall,
  ReplayChatCompletionClient,
  type ReplayChatCompletionClientOptions,
  type ReplayResult,
  type Reply,
} from './replay/replay-chat-completion-client.ts';
