export { type AgentGuard, type ForWhom, runFor, type WorkInfo } from '@teamfuse/adapter-kit';
export {
  type GraphGuardOptions,
  type Guardable,
  guardGraph,
  modelOfGraph,
  nameOf,
  tripOf,
} from './guard-graph.ts';
export {
  type GuardMiddleware,
  guardMiddleware,
  type MiddlewareOptions,
} from './guard-middleware.ts';
export {
  type GuardableAgent,
  type GuardableGraph,
  isAgent,
  isGraph,
  type ModelRequest,
  type RunConfig,
  type Runtime,
  type ToolRequest,
} from './shapes.ts';
