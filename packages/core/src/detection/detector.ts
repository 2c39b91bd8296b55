import type { JsonValue } from '../common/json.ts';
import type { AdmissionRequest, ToolCallRequest } from '../signal/request.ts';
import type { SignalKind } from '../signal/signal.ts';
import type { AnalyzedSignal } from './analyzed-signal.ts';
import type { Finding, FindingKind } from './finding.ts';
import type { Laps } from './steps/lap-step.ts';

/**
 * A fold over signals: the same signals in the same order give the same findings.
 *
 * A detector has no clock, timer, I/O or randomness: time is `signal.at`. Its memory is bounded, and its time per signal is
 * amortised constant apart from the text of the signal.
 */
export interface Detector {
  readonly kind: FindingKind;
  /** Takes in the next signal and returns what it found, if anything. Never throws on a valid signal. */
  observe(step: AnalyzedSignal): Finding | undefined;
  /** Says whether a call should not be made, given the laps that it would complete. Takes nothing in. @internal */
  foresee?(request: ToolCallRequest, laps: Laps): Finding | undefined;
  /** Set if it counts steps when they are admitted. @internal */
  readonly gate?: Gate | undefined;
  /** Forgets what counts for one run alone. @internal */
  beginRun?(): void;
  /** Begins afresh once a circuit has closed, where what is declared counts on. Without it, all is reset. @internal */
  startAfresh?(): void;
  /** Forgets everything, like a new detector with the same options. */
  reset(): void;
  /** The whole state as plain JSON. */
  snapshot(): JsonValue;
  /**
   * Restores a {@link Detector.snapshot}, as if uninterrupted.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void;
}

/** A detector that counts steps when they are admitted. */
export interface Gate {
  /** The kinds of signals that it counts. */
  readonly counted: readonly SignalKind[];
  /** The finding that refuses a step, as no more are allowed than have taken place and are under way. */
  full(request: AdmissionRequest, underWay: UnderWay): Full | undefined;
}

/** Why no step is admitted. */
export interface Full {
  readonly finding: Finding;
  /** How many of the steps that count are still under way. */
  readonly underWay: number;
  /** Whether it is refused by itself while the team goes on. @defaultValue false */
  readonly isStepOnly?: boolean;
}

/** Steps that are admitted and have not ended. */
export interface UnderWay {
  /** How many will give signals of these kinds; turns only at the depth of the request. */
  held(kinds: readonly SignalKind[], request: AdmissionRequest): number;
  /** How many calls of the tool that is asked for. */
  heldOfTool(request: AdmissionRequest): number;
}
