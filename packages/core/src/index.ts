export type { RunOptions, Step } from './admission/run-step.ts';
export { Breaker } from './breaker/breaker.ts';
export type { BreakerOptions } from './breaker/breaker-options.ts';
export type { BreakerSnapshot } from './breaker/breaker-snapshot.ts';
export type { Conversation } from './breaker/conversation.ts';
export { PRESETS } from './breaker/presets.ts';
export type { BudgetOptions } from './budget/budget-options.ts';
export type { Cost, RunningTotal } from './budget/cost.ts';
export type { PriceBook } from './budget/metering.ts';
export type { BudgetStore } from './budget/store/budget-store.ts';
export { MemoryBudgetStore } from './budget/store/memory-budget-store.ts';
export { readUsage } from './budget/usage.ts';
export type { CircuitState } from './circuit/circuit.ts';
export {
  BudgetExceededError,
  ContextWindowExceededError,
  isTripped,
  LoopDetectedError,
  type Trip,
  TrippedError,
} from './circuit/trip.ts';
export {
  BreakerError,
  InvalidOptionError,
  InvalidSignalError,
  InvalidSnapshotError,
} from './common/errors.ts';
export type { Finding } from './detection/finding.ts';
export { redactSecrets } from './disclosure/redact-secrets.ts';
export type { BreakerEventMap } from './events/breaker-events.ts';
export type { Counters } from './events/counters.ts';
export { explain } from './explain/explain.ts';
export { FunctionGuard, type GuardCounters, guardOf } from './guard/function-guard.ts';
export { guard, guardAll } from './guard/guard.ts';
export type { FunctionGuardOptions } from './guard/guard-options.ts';
export type { Confirm } from './judge/question.ts';
export type { RequestInput } from './signal/request.ts';
export type { Signal, SignalInput } from './signal/signal.ts';
