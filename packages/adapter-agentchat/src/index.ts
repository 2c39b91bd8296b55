export { BreakerTermination, type BreakerTerminationOptions } from './breaker-termination.ts';
export type { PriceBook, TokenCounter, TokenUsage } from './metering.ts';
export type { ErrorHandler } from './observer.ts';
export type { ModelKnowledge } from './signals/usage-signal.ts';
