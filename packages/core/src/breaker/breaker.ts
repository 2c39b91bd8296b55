import { Analyzer } from '../analysis/analyzer.ts';
import type { Step } from '../analysis/step.ts';
import { toNanoUsd } from '../budget/amount.ts';
import { Purse } from '../budget/purse.ts';
import { createDetectors, factorOf } from '../detectors/default-detectors.ts';
import { TrippedError } from '../errors.ts';
import type { Finding, Found } from '../finding.ts';
import { Judge } from '../judge/judge.ts';
import type { JudgeUsage } from '../judge/question.ts';
import { LimitDetector } from '../limits/limit-detector.ts';
import { isPromise, type MaybePromise } from '../maybe-promise.ts';
import { finite } from '../options.ts';
import type { Admission, AdmissionRequest, Permit } from '../request.ts';
import { checkRequest, parseSignal } from '../signal/parse-signal.ts';
import type { Signal } from '../signal/signal.ts';
import type { Cost, Trip } from '../trip.ts';
import { Admissions } from './admissions.ts';
import {
  type BreakerEventMap,
  BreakerEvents,
  type BreakerListener,
  type Unsubscribe,
} from './breaker-events.ts';
import type { BreakerOptions } from './breaker-options.ts';
import { type BreakerSnapshot, checkSnapshot, SNAPSHOT_VERSION } from './breaker-snapshot.ts';
import type { CircuitState } from './circuit.ts';
import { DetectorPanel } from './detector-panel.ts';
import { Gate } from './gate.ts';
import { Reactor } from './reactor.ts';
import { RecentSignals } from './recent-signals.ts';
import { toTrip } from './to-trip.ts';

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
  readonly #detectors: DetectorPanel;
  readonly #limits: LimitDetector;
  readonly #purse: Purse;
  readonly #recent: RecentSignals;
  readonly #events: BreakerEvents = new BreakerEvents();
  readonly #gate: Gate;
  readonly #judge: Judge | undefined;
  readonly #reactor: Reactor;
  readonly #admissions: Admissions;
  readonly #now: () => number;
  #nextIndex = 0;

  /** @throws {@link InvalidOptionError} naming the option, what it may be and what it was. */
  constructor(options: BreakerOptions = {}) {
    const { cooldownMs = 60_000, reaction = 'stop', excerpts = true } = options;
    const { judge, now = Date.now } = options;
    this.#now = now;
    this.#analyzer = new Analyzer(options.analysis);
    this.#limits = new LimitDetector(options);
    const detectors = [...createDetectors(options), this.#limits, ...(options.detectors ?? [])];
    this.#detectors = new DetectorPanel(detectors, this.#events);
    this.#purse = new Purse(options);
    this.#recent = new RecentSignals(excerpts);
    this.#gate = new Gate(cooldownMs, now, this.#events);
    const parts = { events: this.#events, gate: this.#gate, purse: this.#purse, now };
    const act = (found: Found): Trip | undefined => this.#reactor.act(found);
    const book = (usage: JudgeUsage): void => this.#bookJudge(usage);
    this.#judge =
      judge === undefined
        ? undefined
        : new Judge(judge, {
            ...parts,
            factor: factorOf(options.sensitivity ?? 'normal'),
            excerpts,
            act,
            book,
          });
    const tripOf = (found: Found): Trip => toTrip(found, this.#recent, this.#purse.history);
    this.#reactor = new Reactor(reaction, { ...parts, tripOf, judge: this.#judge });
    this.#admissions = new Admissions({
      ...parts,
      reactor: this.#reactor,
      blockingJudge: this.#judge?.isBlocking ? this.#judge : undefined,
      ask: () => this.#ask(),
      fold: (signal) => this.#fold(signal),
      nextIndex: () => this.#nextIndex,
    });
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

  /** What the judge was asked in this conversation, and what it has cost so far. */
  get judged(): { readonly questions: number; readonly cost: Cost } {
    return { questions: this.#judge?.questions ?? 0, cost: this.#purse.judgeCost };
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
    const checked = parseSignal(signal);
    const trip = this.#events.holding(() => this.#fold(checked));
    return trip ?? this.#ask();
  }

  /**
   * Asks for leave to take a step. The answer comes at once unless a shared store or a blocking judge is asked.
   *
   * @param options.within the permit of the step that this one is a part of, so that a probe can call its model.
   * @throws {@link InvalidSignalError} when the request is malformed. Nothing is taken in then.
   */
  admit(
    request: AdmissionRequest,
    { within }: { readonly within?: Permit } = {},
  ): MaybePromise<Admission> {
    checkRequest(request);
    return this.#admissions.admit(request, within);
  }

  /** Why the circuit is not closed, once a judge that blocks has answered. At once if no step has to wait. */
  settled(): MaybePromise<Trip | undefined> {
    return this.#judge?.isBlocking ? this.answered() : this.trip;
  }

  /** Why the circuit is not closed, once the judge has answered what it was asked. At once if no question is under way. */
  answered(): MaybePromise<Trip | undefined> {
    const answered = this.#judge?.settled();
    return answered === undefined ? this.trip : answered.then(() => this.trip);
  }

  /** Books money that no {@link UsageSignal} reports, in US dollars. A store that fails is told as `error`. */
  trackCost(usd: number, agent = ''): MaybePromise<Trip | undefined> {
    const nanoUsd = toNanoUsd(finite('usd', usd, 0));
    const index = this.#nextIndex;
    return this.#reactor.reactTo(this.#purse.track(nanoUsd, agent, index), index, this.#now());
  }

  /** Stops the team by hand. Only {@link Breaker.reset} lets it go on. */
  stop(reason = 'stopped by hand'): Trip {
    const evidence = { agents: [], indices: [], count: 1, limit: 1 };
    const finding: Finding = { level: 'trip', kind: 'manual', reason, evidence };
    const found = { finding, index: this.#nextIndex, at: this.#now() };
    const trip = toTrip(found, this.#recent, this.#purse.history);
    return this.#events.holding(() => {
      this.#reactor.open('stop', trip);
      return this.trip ?? trip;
    });
  }

  /** Throws {@link TrippedError} unless the circuit is closed. */
  assertClosed(): void {
    if (this.trip !== undefined) throw new TrippedError(this.trip);
  }

  /** Closes the circuit and forgets the conversation. What was spent stays spent. */
  reset(): void {
    this.#analyzer.reset();
    this.#detectors.reset();
    this.#purse.forget();
    this.#recent.reset();
    this.#reactor.renewWarnings();
    this.#judge?.reset();
    this.#nextIndex = 0;
    this.#gate.apply({ type: 'reset' }, this.#now());
  }

  /** Starts the declared limits (messages, turns, run time) afresh, and gives up a question to the judge; nothing else. */
  beginRun(): void {
    this.#limits.reset();
    this.#judge?.drop();
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
      detectors: this.#detectors.snapshot(),
      purse: this.#purse.snapshot(),
      recent: this.#recent.snapshot(),
      warned: this.#reactor.warned,
      judge: this.#judge?.snapshot() ?? null,
    };
  }

  /**
   * Takes a {@link Breaker.snapshot} back, made by a breaker with the same detectors. One that fails changes nothing.
   * @throws {@link InvalidSnapshotError} naming what is wrong with it.
   */
  restore(snapshot: unknown): void {
    const checked = checkSnapshot(snapshot, this.#detectors.all);
    const before = this.snapshot();
    try {
      this.#restoreParts(checked);
    } catch (error) {
      this.#restoreParts(before);
      throw error;
    }
    this.#nextIndex = checked.nextIndex;
    this.#reactor.renewWarnings(checked.warned);
    this.#gate.restore(checked.circuit);
  }

  #restoreParts({ analysis, detectors, purse, recent, judge }: BreakerSnapshot): void {
    this.#analyzer.restore(analysis);
    this.#detectors.restore(detectors);
    this.#purse.restore(purse);
    this.#recent.restore(recent);
    if (judge === null) this.#judge?.reset();
    else this.#judge?.restore(judge);
  }

  #fold(signal: Signal): Trip | undefined {
    const step = this.#analyzer.observe(signal);
    const { index } = step;
    this.#nextIndex = index + 1;
    this.#recent.remember(index, signal);
    this.#judge?.remember(step);
    this.#events.emit('signal', { index, signal });
    if (step.staleness === 0) this.#reactor.renewWarnings();
    let trip: Trip | undefined;
    for (const detector of this.#detectors.all) {
      const finding = this.#detectors.ask(detector, step);
      if (finding === undefined) continue;
      trip = this.#reactor.react({ finding, index, at: signal.at }) ?? trip;
    }
    trip = this.#book(step) ?? trip;
    if (trip === undefined && step.isProgress && this.#gate.progress(signal)) {
      this.#detectors.reset(this.#limits);
      this.#reactor.renewWarnings();
    }
    return trip;
  }

  /** An open circuit refuses whatever a judge would say. */
  #ask(): Trip | undefined {
    return this.#gate.heeds('trip') ? this.#judge?.ask() : undefined;
  }

  /** The cost of a judge counts in the budget, and is kept apart as well. */
  #bookJudge(usage: JudgeUsage): void {
    const index = this.#nextIndex;
    this.#reactor.reactTo(this.#purse.bookJudge(usage, index), index, this.#now());
  }

  #book(step: Step): Trip | undefined {
    const { index, signal } = step;
    const booked = this.#reactor.reactTo(this.#purse.observe(step), index, signal.at);
    return isPromise(booked) ? undefined : booked;
  }
}
