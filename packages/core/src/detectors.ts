export type {
  Action,
  AnalyzedSignal,
  Failure,
  OverduePoll,
  Success,
} from './analysis/analyzed-signal.ts';
export { Analyzer, type AnalyzerOptions } from './analysis/analyzer.ts';
export type { FailingField, PollOptions, ToolOptions } from './analysis/calls/tool-options.ts';
export type { FailureTally, TallyNumber } from './analysis/failures/tally.ts';
export type { LapStep, Laps } from './analysis/laps.ts';
export type { SuspectedKind, Suspicion } from './analysis/suspicion.ts';
export { estimateTokens } from './analysis/token-estimate.ts';
export { ContextWindow, type ContextWindowOptions } from './budget/context-window.ts';
export type { Detector } from './detector.ts';
export {
  type BuiltInSpec,
  DETECTOR_SPECS,
  type DetectionOptions,
  type DetectorName,
  NO_DETECTORS,
  type Sensitivity,
  suspicionLimit,
} from './detectors/default-detectors.ts';
export { ExecutionStormDetector, type ExecutionStormOptions } from './detectors/execution-storm.ts';
export { HistoryDriftDetector, type HistoryDriftOptions } from './detectors/history-drift.ts';
export { NestedCascadeDetector, type NestedCascadeOptions } from './detectors/nested-cascade.ts';
export { type DeclaredRate, RateDetector, type RateOptions } from './detectors/rate.ts';
export { RepetitionDetector, type RepetitionOptions } from './detectors/repetition.ts';
export {
  type SamePair,
  SpeakerCycleDetector,
  type SpeakerCycleOptions,
} from './detectors/speaker-cycle.ts';
export type { SuspicionOptions } from './detectors/stop-at.ts';
export { type Basis, type Evidence, FINDING_KINDS, type FindingKind } from './finding.ts';
export { LimitDetector } from './limits/limit-detector.ts';
export type { LimitOptions, StopText } from './limits/limit-options.ts';
