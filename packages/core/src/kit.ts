export type { Admission, AdmitOptions, Permit } from './admission.ts';
export { BoundedMap } from './bounded-map.ts';
export { type AdjustedLimits, BREAKER_OPTIONS } from './breaker/breaker-options.ts';
export type { ConversationSnapshot } from './breaker/breaker-snapshot.ts';
export {
  type CircuitEvent,
  CLOSED,
  MAX_COOLDOWN_MS,
  transition,
} from './breaker/circuit/circuit.ts';
export { isAwaited } from './breaker/circuit/circuit-controller.ts';
export type {
  CircuitStore,
  Following,
  StoredChange,
  StoredCircuit,
} from './breaker/circuit/circuit-store.ts';
export { MemoryCircuitStore } from './breaker/circuit/memory-circuit-store.ts';
export type { BreakerListener, Unsubscribe } from './breaker/events/breaker-events.ts';
export type { Reaction, ReactionOptions } from './breaker/findings/reaction.ts';
export { type BreakerInternals, internalsOf } from './breaker/internals.ts';
export { reportEnd } from './breaker/steps/open-step.ts';
export { askForStep, runStep } from './breaker/steps/run-step.ts';
export type { StepHost } from './breaker/steps/step-host.ts';
export { type Outcome, unmadeUsage } from './breaker/steps/step-report.ts';
export type { ThrottleLimits, ThrottleOptions } from './breaker/throttle/throttle-options.ts';
export type { Amount } from './budget/amount.ts';
export type { OwnerPurses, PurseOptions, RaisedLimits } from './budget/budget-options.ts';
export { ExpiryTimer } from './budget/calls/expiry-timer.ts';
export {
  type BudgetLimits,
  BudgetStoreError,
  type BudgetTotals,
  type Purse,
  type PurseTotals,
  type ReservationResult,
} from './budget/store/budget-store.ts';
export { onAbort, type Timers, untilAborted } from './deadline.ts';
export { whenDropped } from './dropped.ts';
export {
  type BreakerErrorCode,
  GuardInstallError,
  InvalidSignalError,
  InvalidSnapshotError,
} from './errors.ts';
export { falseAlarmAdvice } from './explain/advice.ts';
export { askedOf } from './guard/asked.ts';
export { isAsyncFunction } from './guard/call.ts';
export { FunctionGuard, type GuardCounters } from './guard/function-guard.ts';
export type { AnyFunction, LoopOptions, SpendLimits, TripDecision } from './guard/guard-options.ts';
export { hashWords, mixHash } from './hash.ts';
export { HistoryStoreError } from './history/history-store.ts';
export { parseRunRecord } from './history/parse-run-record.ts';
export type { PreflightOptions } from './history/preflight.ts';
export type { RepeatedFailure } from './history/repeated-failure.ts';
export { type HistoryOptions, type RunEnd, RunHistory } from './history/run-history.ts';
export type { RunFailure, RunRecord } from './history/run-record.ts';
export type { JsonValue } from './json.ts';
export { checkJudge } from './judge/judges.ts';
export type { Confirmation, JudgeChoice, JudgeOptions, Question } from './judge/question.ts';
export type { Latest } from './latest.ts';
export {
  andThen,
  asking,
  atOnce,
  inBackground,
  isPromise,
  isRealPromise,
  type MaybePromise,
  tell,
} from './maybe-promise.ts';
export {
  costInUsd,
  type JudgeUsage,
  StreamedTokens,
  type TokenCounter,
  type TokenUsage,
} from './metering.ts';
export type { ConversationStore, SavedConversation } from './moving/conversation-store.ts';
export { MemoryConversationStore } from './moving/memory-conversation-store.ts';
export { type MovingOptions, runInConversation } from './moving/run-in-conversation.ts';
export {
  type AnyTable,
  type ChoiceOption,
  type NestedOption,
  type OptionSpec,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from './option-table.ts';
export {
  checkNames,
  expectedName,
  functionOf,
  OPTIONS_PAGE,
  type OptionNames,
  reading,
} from './options.ts';
export { partMark } from './part-mark.ts';
export type { Preset } from './presets.ts';
export { type Prices, type Pricing, priceBookOf } from './pricing.ts';
export type { Disclosure } from './redact/disclosure.ts';
export { redactJson } from './redact/redact-json.ts';
export { parseSignal } from './signal/parse-signal.ts';
export type {
  AdmissionRequest,
  ExecutionRequest,
  ToolCallRequest,
  TurnRequest,
} from './signal/request.ts';
export type {
  ExecutionSignal,
  HandoffSignal,
  HumanInputSignal,
  MessageSignal,
  ModelRequestSignal,
  NestedEndSignal,
  NestedStartSignal,
  SelectionSignal,
  SignalError,
  SignalKind,
  ToolCallSignal,
  UsageSignal,
} from './signal/signal.ts';
export { signalError } from './signal/signal-error.ts';
export { SIGNAL_KINDS } from './signal/signal-fields.ts';
export type { TenantNames } from './tenant.ts';
export { readJson, toJson } from './to-json.ts';
export type { SignalRef, TripEvidence } from './trip.ts';
export type { ReportedUsage } from './usage.ts';
