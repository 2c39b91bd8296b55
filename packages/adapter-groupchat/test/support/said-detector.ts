import type { Finding } from '@teamfuse/core';
import type { Detector } from '@teamfuse/core/detectors';
import type { JsonValue } from '@teamfuse/core/kit';

/** Trips at the first message that has a text in it, and again at the next one. */
export class SaidDetector implements Detector {
  readonly kind = 'custom:said';
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  observe({ index, signal }: Parameters<Detector['observe']>[0]): Finding | undefined {
    if (signal.kind !== 'message' || !signal.text.includes(this.#text)) return undefined;
    const evidence = { agents: [signal.agent], indices: [index], count: 1, limit: 1 };
    return {
      level: 'trip',
      kind: this.kind,
      reason: `${signal.agent} said ${this.#text}`,
      evidence,
    };
  }

  reset(): void {}

  snapshot(): JsonValue {
    return null;
  }

  restore(): void {}
}
