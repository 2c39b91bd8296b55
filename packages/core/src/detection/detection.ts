import { InvalidOptionError, InvalidSnapshotError } from '../common/errors.ts';
import { isArray, type JsonValue } from '../common/json.ts';
import { atOnce, tell } from '../common/maybe-promise.ts';
import type { AdmissionRequest, ToolCallRequest } from '../signal/request.ts';
import type { Signal } from '../signal/signal.ts';
import type { AnalyzedSignal } from './analyzed-signal.ts';
import { Analyzer } from './analyzer.ts';
import type { Ask } from './calls/call-reader.ts';
import type { Detector, Full } from './detector.ts';
import { createDetectors, type DetectionOptions } from './detectors/default-detectors.ts';
import { type Finding, type FindingKind, findingIn } from './finding.ts';
import { Gates } from './limits/gates.ts';
import { LimitDetector } from './limits/limit-detector.ts';
import type { LimitOptions } from './limits/limit-options.ts';

/** Options of {@link Detection}. */
export interface DetectionParts extends DetectionOptions, LimitOptions {
  /** The user's own detectors. */
  readonly detectors?: readonly (() => Detector)[];
}

/** What {@link Detection} asks and tells. */
export interface DetectionHooks {
  /** What may be told of the name of a tool. */
  readonly nameOf: (tool: string) => string;
  /** Hears what a detector of the user's, or a function of theirs, throws. */
  readonly report: (error: unknown) => void;
  /** Whether the team is told of findings of a kind before they stop it. */
  readonly isToldFirst?: (kind: FindingKind) => boolean;
}

/** The state of {@link Detection} in a snapshot. */
export interface DetectionSnapshot {
  readonly nextIndex: number;
  readonly analysis: JsonValue;
  readonly detectors: Readonly<Record<string, JsonValue>>;
}

/**
 * The user's own detectors for a new conversation.
 * @throws {@link InvalidOptionError}
 */
function createCustom(creators: readonly (() => Detector)[]): Detector[] {
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

/** Signals in, findings out: what the detectors make of what one team says and does. A fold. */
export class Detection {
  /** One of each kind. */
  readonly detectors: readonly Detector[];
  readonly limits: LimitDetector;
  readonly #analyzer: Analyzer;
  readonly #gates: Gates;
  readonly #report: (error: unknown) => void;
  #nextIndex = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: DetectionParts, { nameOf, report, isToldFirst }: DetectionHooks) {
    this.limits = new LimitDetector(options);
    this.detectors = onePerKind([
      ...createDetectors(options, isToldFirst),
      this.limits,
      ...createCustom(options.detectors ?? []),
    ]);
    this.#analyzer = new Analyzer(options.analysis, nameOf, report);
    this.#gates = new Gates(this.detectors.flatMap(({ gate }) => gate ?? []));
    this.#report = report;
  }

  /** The index that the next signal gets. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /** Reads the next signal, once for all detectors. */
  read(signal: Signal): AnalyzedSignal {
    const analyzed = this.#analyzer.observe(signal);
    this.#gates.tookPlace(signal);
    this.#nextIndex = analyzed.index + 1;
    return analyzed;
  }

  /** What the detectors find in a signal. One of the user's may throw: the error is reported. */
  findings(analyzed: AnalyzedSignal): readonly Finding[] {
    const findings: Finding[] = [];
    for (const detector of this.detectors) {
      const finding = this.#ask(detector, analyzed);
      if (finding !== undefined) findings.push(finding);
    }
    return findings;
  }

  /** Notes how long a step was held up that may begin now. */
  held({ at }: AdmissionRequest, ms: number): void {
    this.#analyzer.held(at, at + Math.max(0, ms));
  }

  /** Who asks what. */
  askOf(request: ToolCallRequest): Ask | undefined {
    return this.#attempt(() => this.#analyzer.askOf(request));
  }

  /** The finding that a call would lead to if it had the same outcome as last time. */
  foresee(request: ToolCallRequest, ask: Ask): Finding | undefined {
    return this.#attempt(() => {
      const laps = this.#analyzer.foresee(request, ask);
      if (laps === undefined) return undefined;
      for (const detector of this.detectors) {
        const finding = detector.foresee?.(request, laps);
        if (finding !== undefined) return finding;
      }
      return undefined;
    });
  }

  /** Why no more steps of this kind are allowed. */
  full(request: AdmissionRequest): Full | undefined {
    return this.#gates.full(request);
  }

  /** Counts a step that begins, if a limit counts it. The function that is returned ends that. */
  enter(request: AdmissionRequest): (() => void) | undefined {
    return this.#gates.enter(request);
  }

  /** Begins a run: the declared limits start from zero. */
  beginRun(at?: number): void {
    this.limits.begin(at);
    this.#gates.clear();
    for (const detector of this.detectors) this.#attempt(() => detector.beginRun?.());
  }

  /** The detectors start afresh; the limits, and declared rates, keep counting. */
  startAfresh(): void {
    for (const detector of this.detectors) {
      if (detector.startAfresh === undefined) this.#reset(detector);
      else this.#attempt(() => detector.startAfresh?.());
    }
  }

  /** Forgets everything. */
  reset(): void {
    this.#gates.clear();
    this.#analyzer.reset();
    for (const detector of this.detectors) this.#reset(detector);
    this.#nextIndex = 0;
  }

  snapshot(): DetectionSnapshot {
    const states = this.detectors.map((detector) => [detector.kind, detector.snapshot()]);
    return {
      nextIndex: this.#nextIndex,
      analysis: this.#analyzer.snapshot(),
      detectors: Object.fromEntries(states),
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore({ nextIndex, analysis, detectors: states }: DetectionSnapshot): void {
    this.#analyzer.restore(analysis);
    for (const detector of this.detectors) {
      const state = states[detector.kind];
      // Snapshots from before there was this detector have none.
      if (state === undefined) this.#reset(detector);
      else restoreOne(detector, state);
    }
    this.#nextIndex = nextIndex;
  }

  // By itself, since a function made for each question would take as long as some detectors.
  #ask(detector: Detector, analyzed: AnalyzedSignal): Finding | undefined {
    try {
      return findingIn(detector.kind, atOnce(detector.kind, detector.observe(analyzed)));
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #reset(detector: Detector): void {
    tell(() => detector.reset(), undefined, this.#report);
  }

  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }
}

function restoreOne(detector: Detector, state: JsonValue): void {
  try {
    detector.restore(state);
  } catch (error) {
    if (error instanceof InvalidSnapshotError) throw error;
    const expected = 'a state its detector accepts';
    throw new InvalidSnapshotError(`detectors.${detector.kind}`, expected, state);
  }
}

function onePerKind(detectors: readonly Detector[]): readonly Detector[] {
  const kinds = new Set<FindingKind>();
  for (const { kind } of detectors) {
    if (kinds.has(kind)) {
      throw new InvalidOptionError('detectors', 'at most one detector per kind', kind);
    }
    kinds.add(kind);
  }
  return detectors;
}
