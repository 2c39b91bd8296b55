export { Agent, type GenerateReplyOptions, isAgent, type SendOptions } from './agent.ts';
export type { PrepareChatOptions } from './agent-memory.ts';
export type { ConversableAgentOptions, HumanInputMode, TerminationTest } from './agent-options.ts';
export { AssistantAgent } from './assistant-agent.ts';
export { AutoReplies } from './auto-replies.ts';
export type { Carryover } from './carryover.ts';
export type { ChatResult, InitiateChatOptions, OpeningFunction } from './chat.ts';
export type {
  Attempt,
  ChatEndReason,
  ChatEvent,
  ChatEventOrigin,
  ChatHappening,
  ModelPurpose,
  RunEndReason,
  Undertaking,
} from './chat-event.ts';
export { initiateChats, type QueuedChat } from './chat-queue.ts';
export type { CodeExecutionConfig } from './code-execution.ts';
export type { ExecutorCodeConfig, ScanWindow } from './code-reply.ts';
export { consoleIO } from './console-io.ts';
export { contentText } from './content.ts';
export { ConversableAgent } from './conversable-agent.ts';
export { Conversations } from './conversations.ts';
export {
  AgentNameConflict,
  GroupChatError,
  type GroupChatErrorCode,
  InvalidCarryOverType,
  KeyboardInterrupt,
  NoEligibleSpeaker,
  SenderRequired,
  UndefinedNextAgent,
} from './errors.ts';
export type { FunctionOutcome, ToolArguments, ToolFunction } from './execute-function.ts';
export {
  type AgentLookupOptions,
  GroupChat,
  type GroupChatOptions,
  type SpeakerSelectionMethod,
  type SpeakerSelector,
} from './group-chat.ts';
export { GroupChatManager, type GroupChatManagerOptions } from './group-chat-manager.ts';
export type { IOStream } from './io-stream.ts';
export type { CodeRunner, LegacyCodeConfig } from './legacy-code-reply.ts';
export type { LlmConfig } from './llm-config.ts';
export { generateOaiReply } from './llm-reply.ts';
export type {
  ChatMessage,
  ContentPart,
  FunctionCallRequest,
  ImageUrlPart,
  MessageContent,
  MessageContext,
  Reply,
  TextPart,
  ToolCallRequest,
  ToolResponse,
} from './message.ts';
export type { HookMethods, OutgoingMessage } from './message-hooks.ts';
export { ModelAccess } from './model-access.ts';
export type {
  NestedChat,
  NestedOpening,
  NestedReplyFunction,
  RegisterNestedChatsOptions,
} from './nested-chat.ts';
export { reservedPlace } from './reply-chain.ts';
export type {
  RegisterReplyOptions,
  ReplyEntry,
  ReplyFunction,
  ReplyResult,
} from './reply-function.ts';
export type { ResumedChat, ResumeOptions } from './resume.ts';
export { type GroupRunner, runChat } from './run-chat.ts';
export type { SelectSpeakerTemplates } from './select-speaker-templates.ts';
export type { SpeakerTransitions, TransitionOptions } from './speaker-transitions.ts';
export { StreamIO, type TextOutput } from './stream-io.ts';
export {
  defaultSummaryPrompt,
  type SummaryArgs,
  type SummaryFunction,
  type SummaryMethod,
} from './summary.ts';
export { type Refusal, type Tap, TapSet } from './tap.ts';
export { checkTerminationAndHumanReply } from './termination-reply.ts';
export {
  registerFunction,
  type Tool,
  type ToolBody,
  type ToolParties,
  type ToolSignature,
} from './tool.ts';
export { generateFunctionCallReply, generateToolCallsReply } from './tool-reply.ts';
export type { AgentClass, Trigger, TriggerElement, TriggerTest } from './trigger.ts';
export { type ChatCost, gatherUsageSummary } from './usage-report.ts';
export type { ModelUsage, UsageSummary } from './usage-summary.ts';
export type { UsageMode } from './usage-text.ts';
export { UserProxyAgent } from './user-proxy-agent.ts';
