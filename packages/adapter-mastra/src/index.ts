export type { AgentGuard, ForWhom, WorkInfo } from '@teamfuse/adapter-kit';
export { guardAgent, modelOfAgents, tripOf } from './guard-agent.ts';
export {
  type AgentCallOptions,
  type GuardableAgent,
  isAgent,
  type Prepare,
  type PreparedStep,
  type Step,
} from './shapes.ts';
