import type { AnalyzedSignal } from './analysis/analyzed-signal.ts';
import type { Finding, FindingKind } from './finding.ts';
import type { JsonValue } from './json.ts';

/**
 * A fold over signals: the same signals in the same order give the same findings.
 *
 * No clock, timer, input or output, and no randomness: time is `signal.at`. Bounded memory, and amortised constant
 * time per signal apart from the text of that signal.
 */
export interface Detector {
  readonly kind: FindingKind;
  /** Takes the next signal in and says what it shows, if anything. Never throws on a valid signal. */
  observe(step: AnalyzedSignal): Finding | undefined;
  /** Forgets everything: equal to a new detector with the same options. */
  reset(): void;
  /** The whole state as plain JSON. */
  snapshot(): JsonValue;
  /**
   * Takes a {@link Detector.snapshot} back, so that folding goes on as if uninterrupted.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void;
}
