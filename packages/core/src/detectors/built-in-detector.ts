import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Detector } from '../detector.ts';
import type { DetectorKind, Evidence, Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { readOptions, type WithDefaults } from '../option-table.ts';
import type { Stateful } from '../state/stateful.ts';
import type { DetectorSpec } from './detector-spec.ts';

/** What the built-in detectors share: options, a state that is saved under their kind, and findings. */
export abstract class BuiltInDetector<T extends object, Undefined extends keyof T = never>
  implements Detector
{
  abstract readonly kind: DetectorKind;
  /** @internal */
  protected readonly options: WithDefaults<T, Undefined>;
  /** All that it remembers. */
  protected abstract readonly memory: Stateful;

  /** @throws {@link InvalidOptionError} */
  constructor(spec: DetectorSpec<T, Undefined>, options: T, factor: number) {
    this.options = readOptions<T, Undefined>(spec.name, options, spec.options, factor);
  }

  abstract observe(step: AnalyzedSignal): Finding | undefined;

  reset(): void {
    this.memory.clear();
  }

  snapshot(): JsonValue {
    return this.memory.snapshot();
  }

  restore(snapshot: JsonValue): void {
    this.memory.restore(this.kind, snapshot);
  }

  /** @internal */
  protected trip(
    reason: string,
    evidence: Evidence,
    rest: Pick<Finding, 'unquoted' | 'basis'> = {},
  ): Finding {
    return { level: 'trip', kind: this.kind, reason, evidence, ...rest };
  }
}
