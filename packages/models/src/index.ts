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
