export type {
  ConversableAgentOptions,
  HumanInputMode,
  TerminationTest,
} from './agents/agent-options.ts';
export { AssistantAgent } from './agents/assistant-agent.ts';
export { ConversableAgent } from './agents/conversable-agent.ts';
export type { HookMethods, OutgoingMessage } from './agents/message-hooks.ts';
export { registerFunction, type ToolParties } from './agents/register-function.ts';
export { UserProxyAgent } from './agents/user-proxy-agent.ts';
export type { Carryover } from './chats/carryover.ts';
export type {
  ChatResult,
  InitiateChatOptions,
  OpeningFunction,
  PrepareChatOptions,
} from './chats/chat.ts';
export { initiateChats, type QueuedChat } from './chats/chat-queue.ts';
export type {
  NestedChat,
  NestedOpening,
  NestedReplyFunction,
  RegisterNestedChatsOptions,
} from './chats/nested-chat.ts';
export type { Stop, StopKind } from './chats/stop.ts';
export {
  defaultSummaryPrompt,
  type SummaryArgs,
  type SummaryFunction,
  type SummaryMethod,
} from './chats/summary.ts';
export {
  AgentNameConflict,
  GroupChatError,
  type GroupChatErrorCode,
  InvalidCarryOverType,
  KeyboardInterrupt,
  NoEligibleSpeaker,
  SenderRequired,
  UndefinedNextAgent,
  UnknownOptionError,
} from './errors.ts';
export { type AgentLookupOptions, GroupChat } from './groups/group-chat.ts';
export { GroupChatManager, type GroupChatManagerOptions } from './groups/group-chat-manager.ts';
export type {
  GroupChatOptions,
  SpeakerSelectionMethod,
  SpeakerSelector,
} from './groups/group-chat-options.ts';
export type { ResumedChat, ResumeOptions } from './groups/resume.ts';
export { type GroupRunner, runChat } from './groups/run-chat.ts';
export type { SelectSpeakerTemplates } from './groups/select-speaker-templates.ts';
export type { SpeakerTransitions, TransitionOptions } from './groups/speaker-transitions.ts';
export { consoleIO } from './io/console-io.ts';
export type { InputOptions, IOStream } from './io/io-stream.ts';
export { StreamIO, type TextOutput } from './io/stream-io.ts';
export { Agent, type GenerateReplyOptions, isAgent, type SendOptions } from './messages/agent.ts';
export { contentText } from './messages/content.ts';
export { Conversations } from './messages/conversations.ts';
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
} from './messages/message.ts';
export type { LlmConfig } from './models/llm-config.ts';
export { ModelAccess } from './models/model-access.ts';
export {
  type ChatCost,
  gatherUsageSummary,
  type ModelUsage,
  type UsageSummary,
} from './models/usage-summary.ts';
export type { UsageMode } from './models/usage-text.ts';
export { AutoReplies } from './replies/auto-replies.ts';
export type { CodeExecutionConfig } from './replies/code-execution.ts';
export type { ExecutorCodeConfig, ScanWindow } from './replies/code-reply.ts';
export type { CodeRunner, LegacyCodeConfig } from './replies/legacy-code-reply.ts';
export { generateOaiReply } from './replies/llm-reply.ts';
export { reservedPlace } from './replies/reply-chain.ts';
export type {
  RegisterReplyOptions,
  ReplyEntry,
  ReplyFunction,
  ReplyResult,
} from './replies/reply-function.ts';
export { checkTerminationAndHumanReply } from './replies/termination-reply.ts';
export { generateFunctionCallReply, generateToolCallsReply } from './replies/tool-reply.ts';
export type { AgentClass, Trigger, TriggerElement, TriggerTest } from './replies/trigger.ts';
export type {
  ChatEndReason,
  ChatEvent,
  ChatEventDetails,
  ChatEventOrigin,
  ModelPurpose,
  RunEndReason,
} from './taps/chat-event.ts';
export type { RefusableStep, RefusableStepDetails, Step } from './taps/step.ts';
export { type Refusal, type StepWork, type Tap, TapSet } from './taps/tap.ts';
export type {
  FunctionOutcome,
  ToolArguments,
  ToolCallOptions,
  ToolFunction,
} from './tools/execute-function.ts';
export type { Tool, ToolBody, ToolSignature } from './tools/tool.ts';
