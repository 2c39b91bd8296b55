export type {
  ErrorHandler,
  ForWhom,
  Guard,
  GuardActivity,
  GuardOptions,
  GuardProblem,
  SelfTestReport,
  TapCheck,
} from '@teamfuse/adapter-kit';
export type { PriceBook } from '@teamfuse/core';
export type { TokenCounter, TokenUsage } from '@teamfuse/core/kit';
export { BreakerTermination, type BreakerTerminationOptions } from './breaker-termination.ts';
export { DetectorTermination } from './conditions/detector-termination.ts';
export {
  ExecutionStormTermination,
  guardComponents,
  HistoryDriftTermination,
  NestedCascadeTermination,
  RepetitionTermination,
  SpeakerCycleTermination,
} from './conditions/detectors.ts';
export { findModel as modelOfTeam } from './guard/find-model.ts';
export { type GuardableTeam, guardTeam } from './guard/guard-team.ts';
export { GuardedAgent, type GuardedAgentOptions } from './guarded-agent.ts';
export { isAgent as isChatAgent, isGroup as isGuardableTeam } from './taps/shapes.ts';
