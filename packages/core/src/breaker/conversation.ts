import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import { Analyzer } from '../analysis/analyzer.ts';
import { toNanoUsd } from '../budget/amount.ts';
import type { SharedSpend } from '../budget/shared-spend.ts';
import { JUDGE, SpendTracker } from '../budget/spend-tracker.ts';
import { createDetectors, factorOf } from '../detectors/default-detectors.ts';
import { TrippedError } from '../errors.ts';
import type { Finding, FindingKind, Found } from '../finding.ts';
import { Judge } from '../judge/judge.ts';
import { LimitDetector } from '../limits/limit-detector.ts';
import { isPromise, type MaybePromise } from '../maybe-promise.ts';
import { finite, reading, textOf } from '../options.ts';
import { Disclosure } from '../redact/disclosure.ts';
import type { Admission, AdmissionRequest, AdmitOptions, Permit } from '../request.ts';
import { boundName, boundNames } from '../signal/bound-names.ts';
import { checkRequest, parseSignal } from '../signal/parse-signal.ts';
import type { Signal } from '../signal/signal.ts';
import type { Cost, Trip } from '../trip.ts';
import { AdmissionController } from './admission-controller.ts';
import { type BreakerEvents, ConversationEvents } from './breaker-events.ts';
import type { BreakerOptions } from './breaker-options.ts';
import { type ConversationSnapshot, checkConversation } from './breaker-snapshot.ts';
import type { CircuitState } from './circuit.ts';
import { CircuitController } from './circuit-controller.ts';
import { type Counters, Tally } from './counters.ts';
import { createCustom, DetectorSet } from './detector-set.ts';
import { FindingHandler } from './finding-handler.ts';
import { RecentSignals } from './recent-signals.ts';
import { type RunOptions, runStep, type Step } from './run-step.ts';
import { toTrip } from './to-trip.ts';

/** What all conversations of a breaker share. @internal */
export interface SharedParts {
  readonly options: BreakerOptions;
  readonly events: BreakerEvents;
  readonly spend: SharedSpend;
  readonly tally: Tally;
  /** Told by each conversation that is used, so that it is not forgotten. */
  readonly used: (conversation: Conversation) => void;
}

/**
 * One outermost team run and everything it runs: it has its own detectors, suspicion, limits and circuit. Spend and
 * listeners belong to the {@link Breaker}.
 */
export class Conversation {
  /** Empty for the breaker's main conversation. */
  readonly id: string;
  readonly #used: SharedParts['used'];
  readonly #analyzer: Analyzer;
  readonly #detectors: DetectorSet;
  readonly #limits: LimitDetector;
  readonly #spend: SpendTracker;
  readonly #recent: RecentSignals;
  readonly #disclosure: Disclosure;
  readonly #events: ConversationEvents;
  readonly #circuit: CircuitController;
  readonly #judge: Judge | undefined;
  readonly #handler: FindingHandler;
  readonly #admissions: AdmissionController;
  readonly #tally: Tally;
  readonly #now: () => number;
  readonly #onOpen: Set<(trip: Trip) => void> = new Set();
  #nextIndex = 0;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(id: string, { options, events, spend, tally, used }: SharedParts) {
    const { cooldownMs = 60_000, reaction = 'stop', judge } = options;
    const { now = Date.now, detectors: custom = [] } = options;
    this.id = id;
    this.#used = used;
    this.#now = now;
    this.#tally = new Tally(tally);
    this.#events = new ConversationEvents(events, id);
    this.#analyzer = new Analyzer(options.analysis);
    this.#limits = new LimitDetector(options);
    const detectors = [...createDetectors(options), this.#limits, ...createCustom(custom)];
    this.#detectors = new DetectorSet(detectors, this.#events);
    this.#spend = new SpendTracker(spend, id, options.contextWindow);
    this.#disclosure = new Disclosure(options, (error) => {
      this.#events.emit('error', { error, during: 'redact' });
    });
    this.#recent = new RecentSignals(this.#disclosure);
    this.#circuit = new CircuitController(cooldownMs, now, (from, to) => this.#changed(from, to));
    this.#judge =
      judge &&
      new Judge(judge, {
        events: this.#events,
        now,
        factor: factorOf(options.sensitivity ?? 'normal'),
        disclosure: this.#disclosure,
        act: (found) => this.#handler.act(found),
        book: (usage) => {
          const index = this.#nextIndex;
          const booked = this.#spend.bookJudge(usage, index);
          this.#spent(index, JUDGE);
          this.#handler.reactTo(booked, index, now());
        },
      });
    this.#handler = new FindingHandler(reaction, {
      events: this.#events,
      circuit: this.#circuit,
      disclosure: this.#disclosure,
      judge: this.#judge,
      tripOf: (found) => this.#tripOf(found),
      opened: () => this.#tally.add('trips'),
    });
    this.#admissions = new AdmissionController({
      events: this.#events,
      circuit: this.#circuit,
      spend: this.#spend,
      handler: this.#handler,
      blockingJudge: this.#judge?.isBlocking ? this.#judge : undefined,
      ask: () => this.#ask(),
      fold: (signal) => this.#fold(signal),
      nextIndex: () => this.#nextIndex,
      onOpen: (listener) => this.onOpen(listener),
      refused: (request, trip) => this.#refused(request, trip),
    });
  }

  /** The state of the circuit. */
  get state(): CircuitState {
    return this.#circuit.state;
  }

  /** Why the circuit is not closed; `undefined` while it is. */
  get trip(): Trip | undefined {
    const { state } = this;
    return state.status === 'closed' ? undefined : state.trip;
  }

  /** What may be told of what was said. @internal */
  get disclosure(): Disclosure {
    return this.#disclosure;
  }

  /** The reported spend of this conversation. */
  get cost(): Cost {
    return this.#spend.history.total;
  }

  /** What has happened in this conversation so far. */
  get counters(): Counters {
    return this.#tally.counters;
  }

  /** The index that the next signal gets. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /** The number of questions to the judge in this conversation. */
  get questions(): number {
    return this.#judge?.questions ?? 0;
  }

  /** The time on the breaker's clock, in milliseconds. */
  now(): number {
    return this.#now();
  }

  /** {@link Breaker.observe} */
  observe(signal: Signal): Trip | undefined {
    const checked = boundNames(parseSignal(signal));
    this.#used(this);
    const trip = this.#events.holding(() => this.#fold(checked));
    return trip ?? this.#ask();
  }

  /** {@link Breaker.admit} */
  admit(request: AdmissionRequest, options: AdmitOptions = {}): MaybePromise<Admission> {
    checkRequest(request);
    const { within, signal } = reading('within', 'a permit', options, () => ({
      within: options.within,
      signal: options.signal,
    }));
    this.#used(this);
    return this.#admissions.admit(boundNames(request), { within, signal });
  }

  /** {@link Breaker.run} */
  run<T>(
    request: AdmissionRequest,
    work: (step: Step) => MaybePromise<T>,
    options: RunOptions<T> = {},
  ): Promise<T> {
    return runStep(this, request, work, options);
  }

  /** {@link Breaker.settled} */
  settled(): MaybePromise<Trip | undefined> {
    return this.#judge?.isBlocking ? this.answered() : this.trip;
  }

  /** {@link Breaker.answered} */
  answered(): MaybePromise<Trip | undefined> {
    const answered = this.#judge?.settled();
    return answered === undefined ? this.trip : answered.then(() => this.trip);
  }

  /** {@link Breaker.trackCost} */
  trackCost(usd: number, agent = ''): MaybePromise<Trip | undefined> {
    const nanoUsd = toNanoUsd(finite('usd', usd, 0));
    const index = this.#nextIndex;
    const name = boundName(textOf('agent', agent));
    const booked = this.#spend.track(nanoUsd, name, index);
    this.#spent(index, name);
    return this.#handler.reactTo(booked, index, this.#now());
  }

  /** {@link Breaker.stop} */
  stop(reason = 'stopped by hand'): Trip {
    const evidence = { agents: [], indices: [], count: 1, limit: 1 };
    const finding: Finding = {
      level: 'trip',
      kind: 'manual',
      reason: this.#disclosure.reason(textOf('reason', reason)),
      evidence,
    };
    const trip = this.#tripOf({ finding, index: this.#nextIndex, at: this.#now() });
    return this.#events.holding(() => {
      this.#handler.open('stop', trip);
      return this.trip ?? trip;
    });
  }

  /** {@link Breaker.assertClosed} */
  assertClosed(): void {
    if (this.trip !== undefined) throw new TrippedError(this.trip);
  }

  /** Milliseconds of `maxRunMs` that are left; `undefined` if there is no such limit or the run has not begun. */
  get remainingMs(): number | undefined {
    return this.#limits.remainingMs(this.#now());
  }

  /** Trips if the run has taken longer than `maxRunMs`. For adapters with timers: core has none. */
  checkRunTime(): Trip | undefined {
    const at = this.#now();
    const finding = this.#limits.overtime(at);
    return finding && this.#handler.react({ finding, index: this.#nextIndex, at });
  }

  /** Calls `listener` when the circuit opens, at once and before the events. Returns a function that stops that. */
  onOpen(listener: (trip: Trip) => void): () => void {
    this.#onOpen.add(listener);
    return () => void this.#onOpen.delete(listener);
  }

  /** Why a step with none of these permits would be refused now. @internal */
  refusal(...permits: readonly (Permit | undefined)[]): Trip | undefined {
    return this.#circuit.refusal(...permits);
  }

  /** Emits an error of a report, which must not end the run. @internal */
  reportError(error: unknown): void {
    this.#events.emit('error', { error, during: 'signal' });
  }

  /** {@link Breaker.reset} */
  reset(): void {
    this.#analyzer.reset();
    this.#detectors.reset();
    this.#spend.forget();
    this.#spend.beginRun();
    this.#lettingGo(this.#spend.releaseAll());
    this.#recent.reset();
    this.#handler.renewWarnings();
    this.#judge?.reset();
    this.#nextIndex = 0;
    this.#circuit.apply({ type: 'reset' }, this.#now());
  }

  /** Closes the circuit if it is open for this kind, without forgetting anything. @internal */
  resume(kind: FindingKind): void {
    if (this.trip?.kind === kind) this.#circuit.apply({ type: 'reset' }, this.#now());
  }

  /** {@link Breaker.beginRun}; `at` is when the run began, by default with its first signal. */
  beginRun(at?: number): void {
    this.#limits.begin(at);
    this.#spend.beginRun();
    this.#judge?.drop();
    this.#events.emit('run', { at });
  }

  /** The state as plain JSON. @internal */
  snapshot(): ConversationSnapshot {
    return {
      nextIndex: this.#nextIndex,
      circuit: this.#circuit.state,
      probes: this.#circuit.probes,
      analysis: this.#analyzer.snapshot(),
      detectors: this.#detectors.snapshot(),
      spend: this.#spend.snapshot(),
      recent: this.#recent.snapshot(),
      warned: this.#handler.warned,
      judge: this.#judge?.snapshot() ?? null,
      counters: this.#tally.snapshot(),
    };
  }

  /**
   * Restores a {@link Conversation.snapshot}. If that fails, the conversation is as it was.
   * @throws {@link InvalidSnapshotError} naming the wrong field. @internal
   */
  restore(snapshot: unknown): void {
    const checked = checkConversation(snapshot, this.#detectors.all);
    const before = this.snapshot();
    try {
      this.#restoreParts(checked);
    } catch (error) {
      this.#restoreParts(before);
      throw error;
    }
    this.#nextIndex = checked.nextIndex;
    this.#handler.renewWarnings(checked.warned);
    this.#circuit.restore(checked.circuit, checked.probes);
  }

  #restoreParts({
    analysis,
    detectors,
    spend,
    recent,
    judge,
    counters,
  }: ConversationSnapshot): void {
    this.#analyzer.restore(analysis);
    this.#detectors.restore(detectors);
    this.#spend.restore(spend);
    this.#recent.restore(recent);
    this.#tally.restore('counters', counters);
    if (judge === null) this.#judge?.reset();
    else this.#judge?.restore(judge);
  }

  #fold(signal: Signal): Trip | undefined {
    const analyzed = this.#analyzer.observe(signal);
    const { index } = analyzed;
    this.#nextIndex = index + 1;
    this.#recent.remember(index, signal);
    this.#judge?.remember(analyzed);
    this.#tally.observed(analyzed);
    this.#events.emit('signal', { index, signal });
    if (analyzed.staleness === 0) this.#handler.renewWarnings();
    let trip: Trip | undefined;
    for (const detector of this.#detectors.all) {
      const finding = this.#detectors.ask(detector, analyzed);
      if (finding === undefined) continue;
      trip = this.#handler.react({ finding, index, at: signal.at }) ?? trip;
    }
    trip = this.#book(analyzed) ?? trip;
    if (trip === undefined && analyzed.isProgress && this.#circuit.progress(signal)) {
      this.#detectors.reset(this.#limits);
      this.#handler.renewWarnings();
    }
    return trip;
  }

  /** Asks the judge if it is time to. An open circuit refuses whatever it would answer. */
  #ask(): Trip | undefined {
    return this.#circuit.heeds('trip') ? this.#judge?.ask() : undefined;
  }

  #book(analyzed: AnalyzedSignal): Trip | undefined {
    const { index, signal } = analyzed;
    const booked = this.#handler.reactTo(this.#spend.observe(analyzed), index, signal.at);
    if (signal.kind === 'usage') this.#spent(index, signal.agent);
    return isPromise(booked) ? undefined : booked;
  }

  #spent(index: number, agent: string): void {
    if (!this.#events.has('spend')) return;
    const { cost, counters } = this;
    this.#events.emit('spend', { index, agent, cost, counters });
  }

  #refused(request: AdmissionRequest, trip: Trip): void {
    this.#tally.add('refusals');
    this.#events.emit('refusal', { request, trip, counters: this.counters });
  }

  #lettingGo(released: MaybePromise<undefined>): void {
    this.#handler.reactTo(released, this.#nextIndex, this.#now());
  }

  #tripOf(found: Found): Trip {
    return toTrip(found, this.#recent, this.#spend.history, this.id);
  }

  #changed(from: CircuitState, to: CircuitState): void {
    this.#events.emit('state', { from, to });
    if (to.status === 'closed' && from.status === 'half-open') {
      this.#lettingGo(this.#spend.releaseTripped());
    }
    if (to.status !== 'open' && to.status !== 'stopped') return;
    this.#spend.tripped();
    this.#judge?.drop();
    for (const listener of this.#onOpen) {
      try {
        listener(to.trip);
      } catch (error) {
        this.#events.emit('error', { error, during: 'state' });
      }
    }
  }
}
