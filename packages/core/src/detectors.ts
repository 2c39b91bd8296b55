export { ContextWindow, type ContextWindowOptions } from './budget/context-window.ts';
export { hashText, hashWords, mixHash } from './common/hash.ts';
export type {
  Action,
  AnalyzedSignal,
  Failure,
  OverduePoll,
  Success,
} from './detection/analyzed-signal.ts';
export { Analyzer, type AnalyzerOptions } from './detection/analyzer.ts';
export type { FailingField, PollOptions, ToolOptions } from './detection/calls/tool-options.ts';
export type { Detector } from './detection/detector.ts';
export type { SuspicionOptions } from './detection/detectors/built-in-detector.ts';
export {
  type BuiltInSpec,
  DETECTOR_SPECS,
  type DetectionOptions,
  type DetectorName,
  NO_DETECTORS,
  type Sensitivity,
  suspicionLimit,
} from './detection/detectors/default-detectors.ts';
export {
  ExecutionStormDetector,
  type ExecutionStormOptions,
} from './detection/detectors/execution-storm.ts';
export {
  HistoryDriftDetector,
  type HistoryDriftOptions,
} from './detection/detectors/history-drift.ts';
export {
  NestedCascadeDetector,
  type NestedCascadeOptions,
} from './detection/detectors/nested-cascade.ts';
export { type DeclaredRate, RateDetector, type RateOptions } from './detection/detectors/rate.ts';
export { RepetitionDetector, type RepetitionOptions } from './detection/detectors/repetition.ts';
export {
  type SamePair,
  SpeakerCycleDetector,
  type SpeakerCycleOptions,
} from './detection/detectors/speaker-cycle.ts';
export type { FailureTally, TallyNumber } from './detection/failures/tally.ts';
export { type Basis, type Evidence, FINDING_KINDS, type FindingKind } from './detection/finding.ts';
export { LimitDetector } from './detection/limits/limit-detector.ts';
export type {
  LimitOptions,
  OwnerLimits,
  StopText,
  ToolLimits,
} from './detection/limits/limit-options.ts';
export type { LapStep, Laps } from './detection/steps/lap-step.ts';
export type { SuspectedKind, Suspicion } from './detection/suspicion/suspicion.ts';
export { estimateTokens } from './detection/text/token-estimate.ts';
export { SIGNAL_FIELD_NAMES, SIGNAL_KINDS } from './signal/signal-fields.ts';
