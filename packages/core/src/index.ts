export type { Step } from './analysis/step.ts';
export type { Detector } from './detector.ts';
export {
  BreakerError,
  type BreakerErrorCode,
  GuardInstallError,
  InvalidOptionError,
  InvalidSignalError,
  InvalidSnapshotError,
  isTripped,
  TrippedError,
} from './errors.ts';
export type { Evidence, Finding, FindingKind } from './finding.ts';
export type { JsonValue, MaybePromise } from './json.ts';
export type {
  ExecutionSignal,
  HandoffSignal,
  HumanInputSignal,
  MessageSignal,
  ModelRequestSignal,
  NestedEndSignal,
  NestedStartSignal,
  SelectionSignal,
  Signal,
  SignalError,
  SignalKind,
  ToolCallSignal,
  UsageSignal,
} from './signal.ts';
export type { Cost, SignalRef, Trip, TripEvidence } from './trip.ts';
