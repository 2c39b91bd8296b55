export { type AgentGuard, type ForWhom, runFor, type WorkInfo } from '@teamfuse/adapter-kit';
export {
  type GuardableModel,
  type GuardableTool,
  type GuardableTools,
  isModel,
} from '@teamfuse/adapter-kit/language-models';
export {
  guardAgent,
  modelOfAgents,
  nameOf,
  tripOf,
} from './guard-agent.ts';
export { type CallOptions, guardModel, guardTools, tripped, unguardCalls } from './guard-calls.ts';
export {
  type AgentCallOptions,
  type GuardableAgent,
  isAgent,
  isToolSet,
  type StopCondition,
} from './shapes.ts';
export { type BreakerTelemetry, breakerTelemetry, type ProbeModel } from './telemetry.ts';
