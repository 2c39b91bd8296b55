import { Analyzer } from './analysis/analyzer.ts';
import {
  type BreakerEventMap,
  BreakerEvents,
  type BreakerListener,
  type Unsubscribe,
} from './breaker-events.ts';
import type { BreakerOptions } from './breaker-options.ts';
import { type BreakerSnapshot, checkSnapshot, SNAPSHOT_VERSION } from './breaker-snapshot.ts';
import { toNanoUsd } from './budget/amount.ts';
import { Purse } from './budget/purse.ts';
import type { CircuitState } from './circuit.ts';
import { createDetectors } from './default-detectors.ts';
import type { Detector } from './detector.ts';
import { InvalidOptionError, TrippedError } from './errors.ts';
import { cleanText } from './excerpt.ts';
import type { Finding, FindingKind } from './finding.ts';
import { Gate } from './gate.ts';
import type { MaybePromise } from './json.ts';
import { LimitDetector } from './limits/limit-detector.ts';
import { andThen } from './maybe-promise.ts';
import { finite } from './options.ts';
import { parseSignal } from './parse-signal.ts';
import { checkReactions, type ReactionOptions, reactionTo } from './reaction.ts';
import { RecentSignals } from './recent-signals.ts';
import type { Admission, AdmissionRequest, Permit } from './request.ts';
import type { Signal } from './signal.ts';
import type { Cost, Trip } from './trip.ts';

/** Kinds that waiting does not cure: their circuit stays open until somebody resets it. */
const LASTING_KINDS: readonly FindingKind[] = ['limit', 'budget', 'manual'];

const REASON_LENGTH = 400;

/**
 * Watches what a team says and does, and says when it has to stop.
 *
 * Feed it with {@link Breaker.observe}, ask it with {@link Breaker.admit} before every step, and listen with
 * {@link Breaker.on}. Adapters do the first two for a whole framework.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 2 });
 * breaker.observe({ kind: 'message', at: 0, agent: 'writer', text: 'A first draft.' }); // => undefined
 * breaker.observe({ kind: 'message', at: 1, agent: 'critic', text: 'Too long.' })?.kind; // => 'limit'
 * ```
 */
export class Breaker {
  readonly #analyzer: Analyzer;
  readonly #detectors: readonly Detector[];
  readonly #limits: LimitDetector;
  readonly #purse: Purse;
  readonly #recent: RecentSignals;
  readonly #events: BreakerEvents = new BreakerEvents();
  readonly #gate: Gate;
  readonly #reaction: ReactionOptions;
  readonly #now: () => number;
  readonly #warned: Set<FindingKind> = new Set();
  #nextIndex = 0;

  /** @throws {@link InvalidOptionError} naming the option, what it may be and what it was. */
  constructor(options: BreakerOptions = {}) {
    const { cooldownMs = 60_000, reaction = 'stop', excerpts = true, now = Date.now } = options;
    this.#now = now;
    this.#analyzer = new Analyzer(options.analysis);
    this.#limits = new LimitDetector(options);
    this.#detectors = [...createDetectors(options), this.#limits, ...(options.detectors ?? [])];
    this.#purse = new Purse(options);
    this.#recent = new RecentSignals(excerpts);
    this.#gate = new Gate(cooldownMs, now, this.#events);
    this.#reaction = checkReactions(reaction);
    checkDistinct(this.#detectors);
  }

  /** Where the circuit stands. */
  get state(): CircuitState {
    return this.#gate.state;
  }

  /** Why the circuit is not closed; `undefined` while it is. */
  get trip(): Trip | undefined {
    const { state } = this;
    return state.status === 'closed' ? undefined : state.trip;
  }

  /** What the team has spent so far, as far as it was reported. */
  get cost(): Cost {
    return this.#purse.history.total;
  }

  /** The time on the breaker's clock, for taps to stamp signals with. */
  now(): number {
    return this.#now();
  }

  /**
   * Takes in one thing that happened.
   *
   * @returns the trip, if this signal opened the circuit.
   * @throws {@link InvalidSignalError} naming the bad field. Nothing is taken in then.
   */
  observe(signal: Signal): Trip | undefined {
    return this.#fold(parseSignal(signal));
  }

  /**
   * Asks for leave to take a step. The answer comes at once unless a shared store has to be asked.
   *
   * @param options.within the permit of the step that this one is a part of, so that a probe can call its model.
   * @throws {@link InvalidSignalError} when the request announces a signal and that is malformed.
   */
  admit(
    request: AdmissionRequest,
    options: { readonly within?: Permit } = {},
  ): MaybePromise<Admission> {
    if (isAnnouncing(request)) parseSignal(request);
    const admission = this.#gate.pass(request, options.within);
    if (!admission.isAdmitted || !isAnnouncing(request)) return admission;
    const signal = request;
    const index = this.#nextIndex;
    const trip = this.#fold(signal);
    if (trip !== undefined) return { isAdmitted: false, trip };
    if (signal.kind !== 'model-request') return admission;
    return andThen(this.#purse.request(signal), (finding) => {
      const refusal = finding && this.#react(finding, index, signal.at);
      return refusal ? { isAdmitted: false, trip: refusal } : admission;
    });
  }

  /** Books money that no {@link UsageSignal} reports, in US dollars. */
  trackCost(usd: number, agent = ''): MaybePromise<Trip | undefined> {
    const nanoUsd = toNanoUsd(finite('usd', usd, 0));
    return andThen(
      this.#purse.track(nanoUsd, agent, this.#nextIndex),
      (finding) => finding && this.#react(finding, this.#nextIndex, this.#now()),
    );
  }

  /** Stops the team by hand. Only {@link Breaker.reset} lets it go on. */
  stop(reason = 'stopped by hand'): Trip {
    const evidence = { agents: [], indices: [], count: 1, limit: 1 };
    const finding: Finding = { level: 'trip', kind: 'manual', reason, evidence };
    const at = this.#now();
    const trip = this.#tripOf(finding, this.#nextIndex, at);
    if (this.#gate.apply({ type: 'stop', trip }, at)) this.#events.emit('trip', trip);
    return this.trip ?? trip;
  }

  /** Throws {@link TrippedError} unless the circuit is closed. */
  assertClosed(): void {
    if (this.trip !== undefined) throw new TrippedError(this.trip);
  }

  /** Closes the circuit and forgets the conversation. What was spent stays spent. */
  reset(): void {
    this.#analyzer.reset();
    for (const detector of this.#detectors) detector.reset();
    this.#purse.forget();
    this.#recent.reset();
    this.#warned.clear();
    this.#nextIndex = 0;
    this.#gate.apply({ type: 'reset' }, this.#now());
  }

  /** Starts the declared limits (messages, turns, run time) afresh, and nothing else. */
  beginRun(): void {
    this.#limits.reset();
  }

  /** Listens to one kind of event. A listener that throws harms nobody and is told as `error`. */
  on<K extends keyof BreakerEventMap>(event: K, listener: BreakerListener<K>): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** The whole state as plain JSON. Spend that is kept in a store of the user's own is not in it. */
  snapshot(): BreakerSnapshot {
    return {
      version: SNAPSHOT_VERSION,
      nextIndex: this.#nextIndex,
      circuit: this.#gate.state,
      analysis: this.#analyzer.snapshot(),
      detectors: Object.fromEntries(this.#detectors.map((d) => [d.kind, d.snapshot()])),
      purse: this.#purse.snapshot(),
      recent: this.#recent.snapshot(),
      warned: [...this.#warned],
    };
  }

  /**
   * Takes a {@link Breaker.snapshot} back, made by a breaker with the same detectors.
   * @throws {@link InvalidSnapshotError} naming what is wrong with it.
   */
  restore(snapshot: unknown): void {
    const checked = checkSnapshot(snapshot, this.#detectors);
    this.#analyzer.restore(checked.analysis);
    for (const detector of this.#detectors) {
      detector.restore(checked.detectors[detector.kind] ?? null);
    }
    this.#purse.restore(checked.purse);
    this.#recent.restore(checked.recent);
    this.#gate.restore(checked.circuit);
    this.#nextIndex = checked.nextIndex;
    this.#warned.clear();
    for (const kind of checked.warned) this.#warned.add(kind);
  }

  #fold(signal: Signal): Trip | undefined {
    const step = this.#analyzer.observe(signal);
    const { index } = step;
    this.#nextIndex = index + 1;
    this.#recent.remember(index, signal);
    this.#events.emit('signal', { index, signal });
    if (isPerson(signal)) this.#warned.clear();
    let trip: Trip | undefined;
    for (const detector of this.#detectors) {
      const finding = detector.observe(step);
      if (finding !== undefined) trip = this.#react(finding, index, signal.at) ?? trip;
    }
    trip = this.#book(signal, index) ?? trip;
    if (trip === undefined && step.isProgress && this.#gate.progress(signal)) {
      for (const detector of this.#detectors) if (detector !== this.#limits) detector.reset();
      this.#warned.clear();
    }
    return trip;
  }

  #book(signal: Signal, index: number): Trip | undefined {
    const booked = this.#purse.observe(signal, index);
    if (!(booked instanceof Promise)) return booked && this.#react(booked, index, signal.at);
    booked.then(
      (finding) => finding && this.#react(finding, index, signal.at),
      (error: unknown) => this.#events.emit('error', { error, during: 'store' }),
    );
    return undefined;
  }

  /** Does what the user chose for a finding, and gives the trip back if that opened the circuit. */
  #react(finding: Finding, index: number, at: number): Trip | undefined {
    this.#events.emit('finding', { index, finding });
    const reaction = reactionTo(finding, this.#reaction);
    if (reaction === 'warn' && !this.#warned.has(finding.kind)) {
      this.#warned.add(finding.kind);
      this.#events.emit('warn', { index, finding });
    }
    if (reaction !== 'stop') return undefined;
    const trip = this.#tripOf(finding, index, at);
    const type = LASTING_KINDS.includes(finding.kind) ? 'stop' : 'trip';
    if (!this.#gate.apply({ type, trip }, at)) return undefined;
    this.#events.emit('trip', trip);
    return trip;
  }

  #tripOf(finding: Finding, index: number, at: number): Trip {
    const { kind, evidence } = finding;
    return {
      kind,
      reason: cleanText(finding.reason, REASON_LENGTH),
      at,
      index,
      agents: evidence.agents,
      evidence: {
        ...evidence,
        signals: this.#recent.quote(evidence.indices),
        cost: this.#purse.history.since(evidence.indices[0] ?? index),
      },
    };
  }
}

function isAnnouncing(
  request: AdmissionRequest,
): request is Extract<AdmissionRequest, { kind: 'model-request' | 'nested-start' | 'handoff' }> {
  const { kind } = request;
  return kind === 'model-request' || kind === 'nested-start' || kind === 'handoff';
}

function isPerson(signal: Signal): boolean {
  return signal.kind === 'human-input' && signal.decision !== 'timeout';
}

function checkDistinct(detectors: readonly Detector[]): void {
  const kinds = new Set<FindingKind>();
  for (const { kind } of detectors) {
    if (kinds.has(kind)) throw new InvalidOptionError('detectors', 'one detector of a kind', kind);
    kinds.add(kind);
  }
}
