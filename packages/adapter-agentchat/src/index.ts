export type {
  ErrorHandler,
  Guard,
  GuardActivity,
  GuardOptions,
  GuardProblem,
  SelfTestReport,
  TapCheck,
} from '@teamfuse/adapter-kit';
export type { PriceBook, TokenCounter, TokenUsage } from '@teamfuse/core';
export { BreakerTermination, type BreakerTerminationOptions } from './breaker-termination.ts';
export { guardComponents } from './conditions/components.ts';
export { DetectorTermination } from './conditions/detector-termination.ts';
export { ExecutionStormTermination } from './conditions/execution-storm-termination.ts';
export { HistoryDriftTermination } from './conditions/history-drift-termination.ts';
export { NestedCascadeTermination } from './conditions/nested-cascade-termination.ts';
export { RepetitionTermination } from './conditions/repetition-termination.ts';
export { SpeakerCycleTermination } from './conditions/speaker-cycle-termination.ts';
export { type GuardableTeam, guardTeam } from './guard/guard-team.ts';
export { GuardedAgent, type GuardedAgentOptions } from './guarded-agent.ts';
export { isAgent as isChatAgent, isGroup as isGuardableTeam } from './taps/shapes.ts';
