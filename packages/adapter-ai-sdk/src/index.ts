export {
  type AgentGuard,
  guardAgent,
  modelOfAgents,
  nameOf,
  tripOf,
  type WorkInfo,
} from './guard-agent.ts';
export { type CallOptions, guardModel, guardTools, tripped, unguardCalls } from './guard-calls.ts';
export {
  type AgentCallOptions,
  type GuardableAgent,
  type GuardableModel,
  type GuardableTool,
  type GuardableTools,
  isAgent,
  isModel,
  isToolSet,
  type StopCondition,
} from './shapes.ts';
export { type BreakerTelemetry, breakerTelemetry, type ProbeModel } from './telemetry.ts';
