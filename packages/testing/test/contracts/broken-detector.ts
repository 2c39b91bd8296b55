import type { Finding } from '@teamfuse/core';
import type { AnalyzedSignal, Detector } from '@teamfuse/core/detectors';
import type { JsonValue } from '@teamfuse/core/kit';

/** A detector that keeps all rules: it speaks at every third message. */
export class SoundDetector implements Detector {
  readonly kind = 'custom:third';
  protected count = 0;

  observe(step: AnalyzedSignal): Finding | undefined {
    if (step.signal.kind !== 'message') return undefined;
    this.count = (this.count + 1) % 3;
    return this.count === 0 ? this.found(step) : undefined;
  }

  reset(): void {
    this.count = 0;
  }

  snapshot(): JsonValue {
    return { count: this.count };
  }

  restore(snapshot: JsonValue): void {
    this.count = (snapshot as { count: number }).count;
  }

  protected found({ signal, index }: AnalyzedSignal): Finding {
    return {
      level: 'trip',
      kind: this.kind,
      reason: 'the third message',
      evidence: { agents: [signal.agent], indices: [index], count: 3, limit: 3 },
    };
  }
}
