import type { Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import { InvalidOptionError } from '../errors.ts';
import type { Finding, FindingKind } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { BreakerEvents } from './breaker-events.ts';

/** All detectors of a breaker, asked in turn, one of each kind. @internal */
export class DetectorPanel {
  readonly all: readonly Detector[];
  readonly #events: BreakerEvents;

  constructor(detectors: readonly Detector[], events: BreakerEvents) {
    const kinds = new Set<FindingKind>();
    for (const { kind } of detectors) {
      if (kinds.has(kind)) {
        throw new InvalidOptionError('detectors', 'one detector of a kind', kind);
      }
      kinds.add(kind);
    }
    this.all = detectors;
    this.#events = events;
  }

  /** What one detector makes of a step. A user's own may throw: that is told, and ends no run. */
  ask(detector: Detector, step: Step): Finding | undefined {
    try {
      return detector.observe(step);
    } catch (error) {
      this.#events.emit('error', { error, during: 'detector' });
      return undefined;
    }
  }

  /** Lets all forget the conversation but `kept`. */
  reset(kept?: Detector): void {
    for (const detector of this.all) if (detector !== kept) detector.reset();
  }

  snapshot(): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(this.all.map((detector) => [detector.kind, detector.snapshot()]));
  }

  restore(states: Readonly<Record<string, JsonValue>>): void {
    for (const detector of this.all) detector.restore(states[detector.kind] ?? null);
  }
}
