export { Breaker } from './breaker/breaker.ts';
export type { BreakerOptions } from './breaker/breaker-options.ts';
export type { BreakerSnapshot } from './breaker/breaker-snapshot.ts';
export type { CircuitState } from './breaker/circuit/circuit.ts';
export type { Conversation } from './breaker/conversation.ts';
export type { Counters } from './breaker/counters.ts';
export type { BreakerEventMap } from './breaker/events/breaker-events.ts';
export type { RunOptions, Step } from './breaker/steps/run-step.ts';
export type { BudgetOptions } from './budget/budget-options.ts';
export type { BudgetStore } from './budget/store/budget-store.ts';
export { MemoryBudgetStore } from './budget/store/memory-budget-store.ts';
export { BreakerError, InvalidOptionError } from './errors.ts';
export { explain } from './explain/explain.ts';
export type { Finding } from './finding.ts';
export { guardOf } from './guard/function-guard.ts';
export { guard, guardAll } from './guard/guard.ts';
export type { FunctionGuardOptions } from './guard/guard-options.ts';
export type { HistoryStore } from './history/history-store.ts';
export { MemoryHistoryStore } from './history/memory-history-store.ts';
export { preflight } from './history/preflight.ts';
export { RepeatedFailureError } from './history/repeated-failure.ts';
export { runWithHistory } from './history/run-with-history.ts';
export type { Confirm } from './judge/question.ts';
export type { PriceBook } from './metering.ts';
export { PRESETS } from './presets.ts';
export { redactSecrets } from './redact/redact-secrets.ts';
export type { RequestInput } from './signal/request.ts';
export type { Signal, SignalInput } from './signal/signal.ts';
export {
  BudgetExceededError,
  ContextWindowExceededError,
  type Cost,
  isTripped,
  LoopDetectedError,
  type Trip,
  TrippedError,
} from './trip.ts';
export { readUsage } from './usage.ts';
