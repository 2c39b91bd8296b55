// Base
export type { ChatAgent } from './base/chat-agent.ts';
export {
  AgentChatError,
  type AgentChatErrorCode,
  AssertionError,
  AttributeError,
  CancelledError,
  KeyError,
  NotImplementedError,
  RuntimeError,
  TerminatedException,
  ValidationError,
  type ValidationIssue,
  ValueError,
} from './base/errors.ts';
export type { JsonObject, JsonValue } from './base/json.ts';
export type { MaybePromise } from './base/maybe-promise.ts';
export { isResponse, type Response } from './base/response.ts';
export { isTaskResult, type TaskResult } from './base/task-result.ts';
export type { CancelOptions, RunOptions, TaskRunner } from './base/task-runner.ts';
export { isTeam, type Participant, type Team } from './base/team.ts';
export type { Termination } from './base/termination.ts';
export {
  AndTerminationCondition,
  OrTerminationCondition,
  TerminationCondition,
} from './base/termination-condition.ts';

// Components
export { builtInComponents } from './component/built-in.ts';
export type { ComponentClass, ComponentLoader, Expected } from './component/component-loader.ts';
export {
  type Component,
  type ComponentIdentity,
  type ComponentModel,
  componentModel,
} from './component/component-model.ts';
export { ComponentRegistry } from './component/component-registry.ts';

// Conditions
export { ExternalTermination } from './conditions/external-termination.ts';
export { FunctionCallTermination } from './conditions/function-call-termination.ts';
export { FunctionalTermination } from './conditions/functional-termination.ts';
export { HandoffTermination } from './conditions/handoff-termination.ts';
export {
  type MaxMessageOptions,
  MaxMessageTermination,
} from './conditions/max-message-termination.ts';
export { and, or } from './conditions/operators.ts';
export { SourceMatchTermination } from './conditions/source-match-termination.ts';
export { StopMessageTermination } from './conditions/stop-message-termination.ts';
export {
  type TextMentionOptions,
  TextMentionTermination,
} from './conditions/text-mention-termination.ts';
export { TextMessageTermination } from './conditions/text-message-termination.ts';
export { type TimeoutOptions, TimeoutTermination } from './conditions/timeout-termination.ts';
export {
  type TokenUsageOptions,
  TokenUsageTermination,
} from './conditions/token-usage-termination.ts';
export { when } from './conditions/when.ts';

// Messages
export { BaseAgentEvent, BaseTextEvent } from './messages/agent-event.ts';
export { BaseMessage, type MessageClass, type MessageFields } from './messages/base-message.ts';
export { type ChatItem, isAgentEvent, isChatMessage } from './messages/chat-item.ts';
export {
  BaseChatMessage,
  BaseTextChatMessage,
  type TextFields,
  textFields,
} from './messages/chat-message.ts';
export { CodeExecutionEvent, type CodeExecutionFields } from './messages/code-execution-event.ts';
export {
  CodeGenerationEvent,
  type CodeGenerationFields,
} from './messages/code-generation-event.ts';
export { type HandoffFields, HandoffMessage } from './messages/handoff-message.ts';
export {
  MemoryQueryEvent,
  type MemoryQueryFields,
  type RecalledContent,
} from './messages/memory-query-event.ts';
export { type ChatItemClass, MessageFactory } from './messages/message-factory.ts';
export {
  ModelClientStreamingChunkEvent,
  type StreamingChunkFields,
} from './messages/model-client-streaming-chunk-event.ts';
export { type MultiModalFields, MultiModalMessage } from './messages/multi-modal-message.ts';
export { SelectSpeakerEvent, type SelectSpeakerFields } from './messages/select-speaker-event.ts';
export { SelectorEvent } from './messages/selector-event.ts';
export { StopMessage } from './messages/stop-message.ts';
export {
  type StructuredFields,
  StructuredMessage,
  structuredMessageClass,
} from './messages/structured-message.ts';
export { TextMessage } from './messages/text-message.ts';
export { ThoughtEvent } from './messages/thought-event.ts';
export {
  ToolCallExecutionEvent,
  type ToolCallExecutionFields,
} from './messages/tool-call-execution-event.ts';
export {
  ToolCallRequestEvent,
  type ToolCallRequestFields,
} from './messages/tool-call-request-event.ts';
export {
  type ToolCallSummaryFields,
  ToolCallSummaryMessage,
} from './messages/tool-call-summary-message.ts';
export {
  UserInputRequestedEvent,
  type UserInputRequestedFields,
} from './messages/user-input-requested-event.ts';

// Teams
export { BaseGroupChat, type GroupChatKind } from './teams/base-group-chat.ts';
export {
  GroupChatManager,
  type ManagerSetup,
  type RunContext,
  type Start,
  type Step,
} from './teams/group-chat-manager.ts';
export type { GroupChatOptions } from './teams/group-chat-options.ts';
export { RoundRobinGroupChat } from './teams/round-robin-group-chat.ts';
export type {
  CandidateFunction,
  SelectorFunction,
  SelectorGroupChatOptions,
} from './teams/selector/options.ts';
export { SelectorGroupChat } from './teams/selector/selector-group-chat.ts';
export { Swarm } from './teams/swarm.ts';
