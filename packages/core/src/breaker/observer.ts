import type { Permit } from '../admission.ts';
import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Analyzer } from '../analysis/analyzer.ts';
import type { Ask } from '../analysis/calls/call-reader.ts';
import { isOfJudge, JUDGE, type SpendTracker } from '../budget/spend-tracker.ts';
import type { Judge } from '../judge/judge.ts';
import type { Gates } from '../limits/gates.ts';
import type { LimitDetector } from '../limits/limit-detector.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { JudgeUsage } from '../metering.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { Signal } from '../signal/signal.ts';
import type { Trip } from '../trip.ts';
import type { ConversationSnapshot } from './breaker-snapshot.ts';
import type { CircuitController } from './circuit/circuit-controller.ts';
import type { Tally } from './counters.ts';
import type { ConversationEvents } from './events/breaker-events.ts';
import type { DetectorSet } from './findings/detector-set.ts';
import type { FindingHandler } from './findings/finding-handler.ts';
import type { RecentSignals } from './findings/recent-signals.ts';
import type { CallPlaces } from './throttle/call-places.ts';

/** The collaborators of an {@link Observer}. */
export interface ObserverParts {
  readonly events: ConversationEvents;
  readonly analyzer: Analyzer;
  readonly detectors: DetectorSet;
  readonly limits: LimitDetector;
  readonly gates: Gates;
  readonly places: CallPlaces;
  readonly recent: RecentSignals;
  readonly tally: Tally;
  readonly judge: Judge;
  readonly handler: FindingHandler;
  readonly spend: SpendTracker;
  readonly circuit: CircuitController;
}

/** What an {@link Observer} writes into a snapshot. */
type ObserverSnapshot = Pick<
  ConversationSnapshot,
  'nextIndex' | 'analysis' | 'detectors' | 'recent'
>;

/** Takes in signal after signal: analyses it once for all detectors, asks each, and books what was spent. */
export class Observer {
  readonly #parts: ObserverParts;
  #nextIndex = 0;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  get nextIndex(): number {
    return this.#nextIndex;
  }

  /** Takes in a signal. Returns the trip if it opened the circuit. */
  take(signal: Signal): Trip | undefined {
    const { events, analyzer, detectors, recent, tally, judge, handler, gates, places } =
      this.#parts;
    const analyzed = analyzer.observe(signal);
    gates.settle(signal);
    if (signal.kind === 'usage') places.settle(signal);
    const { index, suspicion } = analyzed;
    this.#nextIndex = index + 1;
    recent.remember(index, signal);
    judge.remember(analyzed);
    tally.observed(analyzed);
    events.emit('signal', { index, signal, suspicion: suspicion.score });
    if (analyzed.staleness === 0) handler.renewWarnings();
    handler.gather();
    let trip: Trip | undefined;
    try {
      for (const detector of detectors.all) {
        const finding = detectors.ask(detector, analyzed);
        if (finding !== undefined) handler.react({ finding, index, at: signal.at });
      }
      this.#book(analyzed);
    } finally {
      trip = handler.openOnce();
    }
    if (trip === undefined && analyzed.isProgress) this.#progress(signal);
    return trip;
  }

  /** Who asks what, for a tool call. With an open circuit it does not matter. */
  askOf(request: AdmissionRequest, within: Permit | undefined): Ask | undefined {
    const { analyzer, detectors, circuit } = this.#parts;
    const isAsked = request.kind === 'tool-call' && circuit.isPassable(within);
    return isAsked ? detectors.askOf(analyzer, request) : undefined;
  }

  /** The trip that refuses a step which would complete a loop, or of which no more are allowed. */
  foresee(
    request: AdmissionRequest,
    within: Permit | undefined,
    ask: Ask | undefined,
  ): Trip | undefined {
    const { analyzer, detectors, circuit, handler, gates } = this.#parts;
    const { kind, at } = request;
    if (!circuit.isPassable(within)) return undefined;
    const index = this.#nextIndex;
    const isCall = kind === 'tool-call' && ask !== undefined;
    const loop = isCall ? detectors.foresee(analyzer, request, ask) : undefined;
    if (loop !== undefined) return handler.refuse({ finding: loop, index, at });
    const full = gates.full(request);
    if (full === undefined) return undefined;
    const { finding, underWay } = full;
    // What is under way is allowed, and must not be aborted: the circuit opens once it has taken place.
    return handler.refuse({ finding, index, at }, { opens: underWay === 0 });
  }

  /** Asks the judge if a question is due. With an open circuit, its answer would change nothing. */
  askJudge(): Trip | undefined {
    const { circuit, judge } = this.#parts;
    return circuit.heeds('trip') ? judge.ask() : undefined;
  }

  /** Books money that no signal reports. */
  track(nanoUsd: number, agent: string, at: number): MaybePromise<Trip | undefined> {
    const booked = this.#parts.spend.track(nanoUsd, agent, this.#nextIndex);
    this.#emitSpend(this.#nextIndex, agent);
    return this.#parts.handler.reactTo(booked, this.#nextIndex, at);
  }

  /** Whether there is money left for a question to the judge. A store that fails is emitted as `error`. */
  mayAskJudge(): MaybePromise<boolean> {
    const { events, spend } = this.#parts;
    const failed = (error: unknown): boolean => {
      events.emit('error', { error, during: 'store' });
      return false;
    };
    return andThen(spend.mayJudge(), (mayAsk) => mayAsk, failed);
  }

  /** Books the cost of the judge's answer. A finding about the judge's own purse stops nobody. */
  bookJudge(usage: JudgeUsage, at: number): void {
    const { spend, handler } = this.#parts;
    const index = this.#nextIndex;
    const booked = andThen(spend.bookJudge(usage, index), (finding) => {
      if (finding === undefined || !isOfJudge(finding)) return finding;
      handler.tell({ finding, index, at });
      return undefined;
    });
    this.#emitSpend(index, JUDGE);
    handler.reactLater(booked, index, at);
  }

  /** The detectors start afresh; the limits keep counting. */
  startAfresh(): void {
    const { detectors, limits, handler } = this.#parts;
    detectors.reset(limits);
    handler.renewWarnings();
  }

  reset(): void {
    const { analyzer, detectors, recent, gates } = this.#parts;
    gates.clear();
    analyzer.reset();
    detectors.reset();
    recent.reset();
    this.#nextIndex = 0;
  }

  snapshot(): ObserverSnapshot {
    const { analyzer, detectors, recent } = this.#parts;
    return {
      nextIndex: this.#nextIndex,
      analysis: analyzer.snapshot(),
      detectors: detectors.snapshot(),
      recent: recent.snapshot(),
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: ObserverSnapshot): void {
    const { analyzer, detectors, recent } = this.#parts;
    analyzer.restore(snapshot.analysis);
    detectors.restore(snapshot.detectors);
    recent.restore(snapshot.recent);
    this.#nextIndex = snapshot.nextIndex;
  }

  #book(analyzed: AnalyzedSignal): void {
    const { index, signal } = analyzed;
    const { spend, handler } = this.#parts;
    handler.reactLater(spend.observe(analyzed), index, signal.at);
    if (signal.kind === 'usage') this.#emitSpend(index, signal.agent);
  }

  #emitSpend(index: number, agent: string): void {
    const { events, spend, tally } = this.#parts;
    if (!events.has('spend')) return;
    events.emit('spend', { index, agent, cost: spend.history.total, counters: tally.counters });
  }

  /** A probe that makes progress closes the circuit. */
  #progress(signal: Signal): void {
    if (this.#parts.circuit.progress(signal)) this.startAfresh();
  }
}
