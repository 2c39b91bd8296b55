export type { AgentGuard, ForWhom, WorkInfo } from '@teamfuse/adapter-kit';
export { historyOf } from './ending.ts';
export { guardRunner, tripOf } from './guard-runner.ts';
export { modelOfRunner } from './judge-model.ts';
export type {
  GuardableModel,
  GuardableProvider,
  GuardableRunner,
  HandoffListener,
  Item,
  ModelRequest,
  ModelResponse,
  ModelUsage,
  RunFunction,
  RunnableAgent,
  RunnerClass,
  RunnerConfig,
  StartListener,
  StreamEvent,
} from './shapes.ts';
export { isRunner } from './shapes.ts';
