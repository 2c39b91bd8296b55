// Agents

// Tools
export { isRefusal } from '@teamfuse/python-compat';
export type { AssistantAgentOptions } from './agents/assistant/options.ts';
export type { OutputContent, OutputContentType } from './agents/assistant/output-content.ts';
export type { SummaryFormatter } from './agents/assistant/summary-formatter.ts';
export { AssistantAgent } from './agents/assistant-agent.ts';
export { BaseChatAgent } from './agents/base-chat-agent.ts';
export type {
  ApprovalFunc,
  ApprovalRequest,
  ApprovalResponse,
} from './agents/code-executor/approval.ts';
export type { CodeExecutorAgentOptions } from './agents/code-executor/options.ts';
export { CodeExecutorAgent } from './agents/code-executor-agent.ts';
export type { Handoff, HandoffOptions } from './agents/handoff.ts';
export type { MessageFilter, PerSourceFilter } from './agents/message-filter.ts';
export {
  MessageFilterAgent,
  type MessageFilterAgentOptions,
} from './agents/message-filter-agent.ts';
export type { SocietyOfMindAgentOptions } from './agents/society-of-mind/options.ts';
export { SocietyOfMindAgent } from './agents/society-of-mind-agent.ts';
export { StreamingChatAgent } from './agents/streaming-chat-agent.ts';
export { type InputFunc, readLine, type UserInputOptions } from './agents/user-input.ts';
export { UserProxyAgent, type UserProxyAgentOptions } from './agents/user-proxy-agent.ts';
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
  UnknownOptionError,
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
// Console
export { Console, type ConsoleOptions } from './console.ts';
// Memory
export { ListMemory, type ListMemoryOptions } from './memory/list-memory.ts';
export type { Memory, MemoryContent } from './memory/memory.ts';
export { BaseMessage, type MessageClass, type MessageFields } from './messages/base-message.ts';
export {
  BaseChatMessage,
  BaseTextChatMessage,
  type TextFields,
  textFields,
} from './messages/chat/chat-message.ts';
export { type HandoffFields, HandoffMessage } from './messages/chat/handoff-message.ts';
export { type MultiModalFields, MultiModalMessage } from './messages/chat/multi-modal-message.ts';
export { StopMessage } from './messages/chat/stop-message.ts';
export {
  type StructuredFields,
  StructuredMessage,
  structuredMessageClass,
} from './messages/chat/structured-message.ts';
export { TextMessage } from './messages/chat/text-message.ts';
export {
  type ToolCallSummaryFields,
  ToolCallSummaryMessage,
} from './messages/chat/tool-call-summary-message.ts';
export { type ChatItem, isAgentEvent, isChatMessage } from './messages/chat-item.ts';
// Messages
export { BaseAgentEvent, BaseTextEvent } from './messages/events/agent-event.ts';
export {
  CodeExecutionEvent,
  type CodeExecutionFields,
} from './messages/events/code-execution-event.ts';
export {
  CodeGenerationEvent,
  type CodeGenerationFields,
} from './messages/events/code-generation-event.ts';
export {
  MemoryQueryEvent,
  type MemoryQueryFields,
  type RecalledContent,
} from './messages/events/memory-query-event.ts';
export {
  ModelClientStreamingChunkEvent,
  type StreamingChunkFields,
} from './messages/events/model-client-streaming-chunk-event.ts';
export {
  SelectSpeakerEvent,
  type SelectSpeakerFields,
} from './messages/events/select-speaker-event.ts';
export { SelectorEvent } from './messages/events/selector-event.ts';
export { ThoughtEvent } from './messages/events/thought-event.ts';
export {
  ToolCallExecutionEvent,
  type ToolCallExecutionFields,
} from './messages/events/tool-call-execution-event.ts';
export {
  ToolCallRequestEvent,
  type ToolCallRequestFields,
} from './messages/events/tool-call-request-event.ts';
export {
  UserInputRequestedEvent,
  type UserInputRequestedFields,
} from './messages/events/user-input-requested-event.ts';
export { type ChatItemClass, MessageFactory } from './messages/message-factory.ts';
// Model contexts
export {
  BufferedChatCompletionContext,
  type BufferedContextOptions,
} from './model-context/buffered-context.ts';
export { ChatCompletionContext } from './model-context/chat-completion-context.ts';
export {
  HeadAndTailChatCompletionContext,
  type HeadAndTailContextOptions,
} from './model-context/head-and-tail-context.ts';
export {
  type CountTokens,
  TokenLimitedChatCompletionContext,
  type TokenLimitedContextOptions,
} from './model-context/token-limited-context.ts';
export {
  UnboundedChatCompletionContext,
  type UnboundedContextOptions,
} from './model-context/unbounded-context.ts';
// Teams
export { BaseGroupChat, type GroupChatKind } from './teams/base-group-chat.ts';
export {
  type DiGraph,
  type DiGraphNode,
  leafNodes,
  parentsOf,
  startNodes,
} from './teams/graph-flow/di-graph.ts';
export { DiGraphBuilder } from './teams/graph-flow/di-graph-builder.ts';
export type {
  Activation,
  DiGraphEdge,
  DiGraphEdgeOptions,
  EdgeCondition,
} from './teams/graph-flow/edge.ts';
export { GraphFlow, type GraphFlowOptions } from './teams/graph-flow/graph-flow.ts';
export { diGraphJson, diGraphToJson } from './teams/graph-flow/graph-json.ts';
export { validateGraph } from './teams/graph-flow/validate.ts';
export {
  GroupChatManager,
  type ManagerSetup,
  type RunContext,
  type Start,
  type Step,
} from './teams/group-chat-manager.ts';
export type { GroupChatOptions } from './teams/group-chat-options.ts';
export { MagenticOneGroupChat } from './teams/magentic-one/magentic-one-group-chat.ts';
export type { MagenticOneGroupChatOptions } from './teams/magentic-one/options.ts';
export { RoundRobinGroupChat } from './teams/round-robin-group-chat.ts';
export type {
  CandidateFunction,
  SelectorFunction,
  SelectorGroupChatOptions,
} from './teams/selector/options.ts';
export { SelectorGroupChat } from './teams/selector/selector-group-chat.ts';
export { Swarm } from './teams/swarm.ts';
export { AgentTool, type AgentToolOptions } from './tools/agent-tool.ts';
export { FunctionTool, type FunctionToolOptions } from './tools/function-tool.ts';
export type { JsonSchema } from './tools/schema.ts';
export { StaticWorkbench } from './tools/static-workbench.ts';
export { TaskRunnerTool, type TaskRunnerToolFields } from './tools/task-runner-tool.ts';
export { TeamTool, type TeamToolOptions } from './tools/team-tool.ts';
export type { BaseTool, StreamTool, ToolArguments, ToolCallOptions } from './tools/tool.ts';
export type { ToolResult, Workbench } from './tools/workbench.ts';
export { UserInputManager } from './user-input-manager.ts';
