import type { AnalyzedSignal } from '../../analysis/analyzed-signal.ts';
import type { Analyzer } from '../../analysis/analyzer.ts';
import type { Ask } from '../../analysis/calls/call-reader.ts';
import type { Detector } from '../../detector.ts';
import { InvalidOptionError, InvalidSnapshotError, isArray } from '../../errors.ts';
import type { Finding, FindingKind } from '../../finding.ts';
import type { JsonValue } from '../../json.ts';
import { atOnce, tell } from '../../maybe-promise.ts';
import type { ToolCallRequest } from '../../signal/request.ts';
import type { ConversationEvents } from '../events/breaker-events.ts';

/**
 * The user's own detectors for a new conversation.
 * @throws {@link InvalidOptionError}
 */
export function createCustom(creators: readonly (() => Detector)[]): Detector[] {
  if (!isArray(creators)) {
    throw new InvalidOptionError('detectors', 'an array of functions', creators);
  }
  // Not `map`, which leaves holes.
  return Array.from(creators, (create) => {
    const isFunction = typeof create === 'function' && !/^class\b/.test(String(create));
    const created: unknown = isFunction ? create() : undefined;
    if (isDetector(created)) return created;
    const expected = 'functions that return detectors, such as () => new MyDetector()';
    throw new InvalidOptionError('detectors', expected, isFunction ? created : create);
  });
}

function isDetector(value: unknown): value is Detector {
  const { kind, observe, reset, snapshot, restore } = Object(value);
  const methods: readonly unknown[] = [observe, reset, snapshot, restore];
  return typeof kind === 'string' && methods.every((method) => typeof method === 'function');
}

/** The detectors of a conversation, one of each kind. */
export class DetectorSet {
  readonly all: readonly Detector[];
  readonly #events: ConversationEvents;

  constructor(detectors: readonly Detector[], events: ConversationEvents) {
    const kinds = new Set<FindingKind>();
    for (const { kind } of detectors) {
      if (kinds.has(kind)) {
        throw new InvalidOptionError('detectors', 'at most one detector per kind', kind);
      }
      kinds.add(kind);
    }
    this.all = detectors;
    this.#events = events;
  }

  /** The finding of one detector. A custom detector may throw: the error is emitted. */
  ask(detector: Detector, step: AnalyzedSignal): Finding | undefined {
    try {
      return atOnce(detector.kind, detector.observe(step));
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Who asks what. The user's `loopKey` may throw: the error is emitted. */
  askOf(analyzer: Analyzer, request: ToolCallRequest): Ask | undefined {
    try {
      return analyzer.askOf(request);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** The finding that a call would lead to if it had the same outcome as last time. */
  foresee(analyzer: Analyzer, request: ToolCallRequest, ask: Ask): Finding | undefined {
    try {
      const laps = analyzer.foresee(request, ask);
      if (laps === undefined) return undefined;
      for (const detector of this.all) {
        const finding = detector.foresee?.(request, laps);
        if (finding !== undefined) return finding;
      }
    } catch (error) {
      return this.#failed(error);
    }
    return undefined;
  }

  /** Resets all detectors but `kept`. A custom detector may throw: the error is emitted. */
  reset(kept?: Detector): void {
    for (const detector of this.all) {
      if (detector !== kept)
        tell(
          () => detector.reset(),
          undefined,
          (error) => this.#failed(error),
        );
    }
  }

  #failed(error: unknown): undefined {
    this.#events.emit('error', { error, during: 'detector' });
  }

  snapshot(): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(this.all.map((detector) => [detector.kind, detector.snapshot()]));
  }

  restore(states: Readonly<Record<string, JsonValue>>): void {
    for (const detector of this.all) {
      try {
        detector.restore(states[detector.kind] ?? null);
      } catch (error) {
        if (error instanceof InvalidSnapshotError) throw error;
        const [field, state] = [`detectors.${detector.kind}`, states[detector.kind]];
        throw new InvalidSnapshotError(field, 'a state its detector accepts', state);
      }
    }
  }
}
