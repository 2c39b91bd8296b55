export { BreakerTermination, type BreakerTerminationOptions } from './breaker-termination.ts';
export type { Guard, SelfTestReport, TapCheck } from './guard/guard.ts';
export type { GuardOptions } from './guard/guard-options.ts';
export { guardTeam } from './guard/guard-team.ts';
export { GuardedAgent, type GuardedAgentOptions } from './guarded-agent.ts';
export type { PriceBook, TokenCounter, TokenUsage } from './metering.ts';
export type { ErrorHandler, WatchActivity, WatchProblem } from './observer.ts';
export type { ModelKnowledge } from './signals/usage-signal.ts';
