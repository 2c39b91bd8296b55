export {
  type AnswerInfo,
  type CallUsage,
  ModelCall,
  type ModelCallParts,
} from './admission/model-call.ts';
export { askForStep, runStep } from './admission/run-step.ts';
export type { StepHost } from './admission/step-host.ts';
export type { Outcome } from './admission/step-report.ts';
export type { AdjustedLimits } from './breaker/breaker-options.ts';
export { type BreakerInternals, internalsOf } from './breaker/internals.ts';
export type { Preset } from './breaker/presets.ts';
export type { Amount } from './budget/amount.ts';
export type { OwnerPurses, PurseOptions, RaisedLimits } from './budget/budget-options.ts';
export { ANSWER_TOKENS } from './budget/estimates.ts';
export {
  costInUsd,
  type JudgeUsage,
  type TokenCounter,
  type TokenUsage,
} from './budget/metering.ts';
export type { Prices, Pricing } from './budget/pricing.ts';
export {
  type BudgetLimits,
  BudgetStoreError,
  type BudgetTotals,
  type Purse,
  type PurseTotals,
  type ReservationResult,
} from './budget/store/budget-store.ts';
export type { ReportedUsage } from './budget/usage.ts';
export { type Admission, type AdmitOptions, FREE_PERMIT, type Permit } from './circuit/permit.ts';
export type { SignalRef, TripEvidence } from './circuit/trip.ts';
export { BoundedMap } from './common/bounded-map.ts';
export { onAbort, type Timers, untilAborted } from './common/deadline.ts';
export { whenDropped } from './common/dropped.ts';
export { type BreakerErrorCode, GuardInstallError } from './common/errors.ts';
export { ExpiryTimer } from './common/expiry-timer.ts';
export type { JsonValue } from './common/json.ts';
export {
  andThen,
  atOnce,
  inBackground,
  isPromise,
  isRealPromise,
  type MaybePromise,
  orRejection,
  tell,
} from './common/maybe-promise.ts';
export { partMark } from './common/part-mark.ts';
export { readJson, toJson } from './common/to-json.ts';
export type { Latest } from './detection/latest.ts';
export type { StreamedPart } from './detection/text/answer-repeats.ts';
export type { Disclosure } from './disclosure/disclosure.ts';
export { redactJson } from './disclosure/redact-json.ts';
export type { BreakerListener, Unsubscribe } from './events/breaker-events.ts';
export { falseAlarmAdvice } from './explain/advice.ts';
export { type NoticeCause, noticeText } from './explain/notice-text.ts';
export { askedOf } from './guard/asked.ts';
export { isAsyncFunction } from './guard/call.ts';
export type { AnyFunction, LoopOptions, SpendLimits, TripDecision } from './guard/guard-options.ts';
export type { Confirmation, JudgeChoice, JudgeOptions, Question } from './judge/question.ts';
export type { Reaction, ReactionOptions } from './reactions/reaction.ts';
export { withoutLaps } from './reactions/without-laps.ts';
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
  NoticeSignal,
  SelectionSignal,
  SignalError,
  SignalKind,
  ToolCallSignal,
  UsageSignal,
} from './signal/signal.ts';
export { signalError } from './signal/signal-error.ts';
export type { TenantNames } from './signal/tenant.ts';
export type { ThrottleLimits, ThrottleOptions } from './throttle/throttle-options.ts';
