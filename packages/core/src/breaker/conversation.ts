import type { Admission, AdmitOptions, Permit } from '../admission.ts';
import { toNanoUsd } from '../budget/amount.ts';
import type { AllBooks } from '../budget/budget-findings.ts';
import type { FindingKind } from '../finding.ts';
import type { Judge } from '../judge/judge.ts';
import type { Latest } from '../latest.ts';
import { asking, isPromise, type MaybePromise } from '../maybe-promise.ts';
import { finite, reading, textOf } from '../options.ts';
import type { Disclosure } from '../redact/disclosure.ts';
import { boundName, boundNames } from '../signal/bound-names.ts';
import { checkRequest, parseSignal } from '../signal/parse-signal.ts';
import type { RequestInput } from '../signal/request.ts';
import type { SignalInput } from '../signal/signal.ts';
import { stamped } from '../signal/stamped.ts';
import { Tenant } from '../tenant.ts';
import { type Cost, type Trip, TrippedError } from '../trip.ts';
import type { ConversationSnapshot, Halt } from './breaker-snapshot.ts';
import type { CircuitState } from './circuit/circuit.ts';
import type { CircuitController } from './circuit/circuit-controller.ts';
import {
  type ConversationHooks,
  type ConversationParts,
  createParts,
  restoreParts,
  type Shared,
  snapshotOf,
} from './conversation-parts.ts';
import type { Counters } from './counters.ts';
import { checkRun, type RunOptions, runStep, type Step } from './steps/run-step.ts';
import { doing } from './steps/waits.ts';

export const BY_HAND = 'stopped by hand';

/** Keeps conversations. */
export interface Keeper {
  /** A conversation was used. */
  used(conversation: Conversation): void;
  /** Nothing of a conversation is under way any more. */
  idle(): void;
}

/**
 * One team with everything that it runs. It has its own detectors, suspicion, limits and circuit; options, budget and
 * listeners belong to the {@link Breaker}.
 *
 * Report what happens with {@link Conversation.observe}, ask before every step with {@link Conversation.admit}, or do both
 * with {@link Conversation.run}.
 */
export class Conversation {
  /** Empty for the breaker's main conversation. */
  readonly id: string;
  /** Whom it belongs to. @internal */
  readonly tenant: Tenant;
  readonly #parts: ConversationParts;
  readonly #used: Keeper['used'];

  /**
   * `keeper` hears of each use, so that the conversation is kept.
   * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
   * @internal
   */
  constructor(id: string, shared: Shared, { used, idle }: Keeper) {
    this.id = id;
    this.tenant = Tenant.of(id);
    const changed: ConversationHooks['changed'] = (from, to) => this.#changed(from, to);
    this.#parts = createParts(id, shared, { changed, idle });
    this.#used = used;
  }

  /** The state of the circuit. */
  get state(): CircuitState {
    return this.#parts.circuit.state;
  }

  /** Why the circuit is not closed; `undefined` while it is. */
  get trip(): Trip | undefined {
    return this.#parts.circuit.trip;
  }

  /** Whether a question to the judge is, or a step that was begun by {@link Conversation.run} or its like. @internal */
  get isUnderWay(): boolean {
    const { admissions, judge } = this.#parts;
    return admissions.isUnderWay || judge.isAsking;
  }

  /** Asks the judge of the breaker about this conversation. @internal */
  get judge(): Judge {
    return this.#parts.judge;
  }

  /** @internal */
  get circuit(): CircuitController {
    return this.#parts.circuit;
  }

  /** What may be quoted. @internal */
  get disclosure(): Disclosure {
    return this.#parts.disclosure;
  }

  /** The reported spend of this conversation. */
  get cost(): Cost {
    return this.#parts.spend.history.total;
  }

  /** The books of the whole budget, then those of its own purse and of who pays for it. @internal */
  get books(): MaybePromise<AllBooks> {
    return this.#parts.spend.books;
  }

  /** What happened so far; money and tokens are in {@link Conversation.cost}. */
  get counters(): Counters {
    return this.#parts.tally.counters;
  }

  /** The latest failures, exit code and speakers. */
  get latest(): Latest {
    const { limits, recent } = this.#parts;
    return { ...limits.latest, speakers: recent.speakers };
  }

  /** The index that the next signal gets. */
  get nextIndex(): number {
    return this.#parts.observer.nextIndex;
  }

  /** How many questions the judge was asked in this conversation. */
  get questions(): number {
    return this.#parts.judge.questions;
  }

  /** The time on the breaker's clock, in milliseconds. */
  now(): number {
    return this.#parts.now();
  }

  /**
   * Reports one thing that happened. Without `at`, it happened now.
   *
   * @returns the trip, if this signal opened the circuit.
   * @throws {@link InvalidSignalError} naming the bad field. The signal is ignored then.
   */
  observe(signal: SignalInput): Trip | undefined {
    const { events, observer, now, pricing } = this.#parts;
    const checked = pricing.signal(boundNames(parseSignal(stamped(signal, now))));
    this.#used(this);
    let trip: Trip | undefined;
    events.hold();
    try {
      trip = observer.take(checked);
    } finally {
      events.release();
    }
    return trip ?? observer.askJudge();
  }

  /**
   * Asks whether a step may begin. The answer is synchronous unless a shared store or a blocking judge is asked, or a model
   * call has to wait for others (`budget.whenFull`). Without `at`, the request is made now. A time ahead of the breaker's clock
   * ends no cool-down.
   *
   * @param options.within the permit of the step that this one is a part of, so that a probe can call its model.
   * @param options.signal ends the wait for a judge or for other calls: the promise is rejected with its reason.
   * @throws {@link InvalidSignalError} when the request is malformed. It is ignored then.
   */
  admit(request: RequestInput, options: AdmitOptions = {}): MaybePromise<Admission> {
    const asked = stamped(request, this.#parts.now);
    checkRequest(asked);
    const read = (): AdmitOptions => {
      const { within, signal, isReleased, isAlone } = options;
      return { within, signal, isReleased, isAlone };
    };
    const given = reading('within', 'a permit', options, read);
    this.#used(this);
    const { admissions } = this.#parts;
    const bound = this.tenant.charged(boundNames(asked));
    const answer = admissions.mayWait(bound)
      ? doing(admissions.admit(bound, given))
      : asking(() => admissions.admitAtOnce(bound, given));
    return isPromise(answer) ? this.timed(answer, asked.at) : answer;
  }

  /**
   * Runs a step: admits it, calls `work`, reports the outcome, and releases the permit.
   *
   * If the circuit opens meanwhile, the step's signal aborts and the wait ends, even if `work` ignores the signal. Work that
   * has finished returns its value, even if its own outcome opens the circuit: the next step is refused.
   *
   * @throws {@link TrippedError} if the step is refused or stopped, unless there is a `fallback`.
   */
  async run<T>(
    request: RequestInput,
    work: (step: Step) => MaybePromise<T>,
    options: RunOptions<T> = {},
  ): Promise<T> {
    checkRun(work, options);
    return runStep(this, stamped(request, this.#parts.now), work, options);
  }

  /** Milliseconds until a call may be tried again that was refused by this trip; `undefined` if waiting does not help. @internal */
  retryInMs({ kind, evidence }: Trip): number | undefined {
    const { spend, now } = this.#parts;
    const { state } = this;
    if (state.status === 'stopped') return undefined;
    const probeFrom = state.status === 'open' ? state.probeFrom : undefined;
    const roomAt = kind === 'budget' ? spend.budget.roomAt(evidence) : undefined;
    if (probeFrom === undefined && roomAt === undefined) return undefined;
    return Math.max(probeFrom ?? 0, roomAt ?? 0) - now();
  }

  /** {@link Conversation.trip}, once a blocking judge has answered. */
  settled(): MaybePromise<Trip | undefined> {
    return this.#parts.judge.isBlocking ? this.answered() : this.trip;
  }

  /** {@link Conversation.trip}, once the judge has answered any pending question. */
  answered(): MaybePromise<Trip | undefined> {
    const answered = this.#parts.judge.settled();
    return answered === undefined ? this.trip : answered.then(() => this.trip);
  }

  /** Books money that no {@link UsageSignal} reports, in US dollars. A store that fails is emitted as `error`. */
  trackCost(usd: number, agent = ''): MaybePromise<Trip | undefined> {
    const nanoUsd = toNanoUsd(finite('usd', usd, 0));
    const name = boundName(textOf('agent', agent));
    return this.#parts.observer.track(nanoUsd, name, this.now());
  }

  /** Stops this conversation by hand, until a reset. */
  stop(reason: string = BY_HAND): Trip {
    return this.#parts.handler.stop(textOf('reason', reason), this.nextIndex, this.now());
  }

  /** Begins in a breaker that is stopped. @internal */
  beginStopped({ reason, at }: Halt): void {
    const trip = this.#parts.handler.tripByHand(reason, 0, at);
    this.#parts.circuit.recall({ state: { status: 'stopped', trip }, probes: 0 });
  }

  /** Goes by what other processes know of its circuit. Once that is closed, it starts afresh, as after a probe. @internal */
  follow(state: CircuitState): void {
    const { circuit, observer } = this.#parts;
    if (circuit.follow(state)) observer.startAfresh();
  }

  /** Throws {@link TrippedError} unless the circuit is closed. */
  assertClosed(): void {
    if (this.trip !== undefined) throw new TrippedError(this.trip);
  }

  /** Milliseconds left of `maxRunMs`; `undefined` without this limit, or before the run begins. */
  get remainingMs(): number | undefined {
    const { limits } = this.#parts;
    // Adapters ask after every signal, and reading the clock takes time.
    return limits.isTimed ? limits.remainingMs(this.now()) : undefined;
  }

  /** Takes the last milliseconds, in which nothing was under way, off the run time. Adapters call this. */
  rested(ms: number): void {
    this.#parts.limits.wait(finite('ms', ms, 0), this.now());
  }

  /** Trips if the run has taken longer than `maxRunMs`. Adapters call this from a timer. */
  checkRunTime(): Trip | undefined {
    return this.#parts.clock.check(this.now());
  }

  /** Trips when `maxRunMs` is over while `work`, begun at `at`, is under way. @internal */
  timed<T>(work: Promise<T>, at: number): Promise<T> {
    return this.#parts.clock.during(work, at);
  }

  /** Calls `listener` synchronously when the circuit opens, before the events. Returns the function that unsubscribes. */
  onOpen(listener: (trip: Trip) => void): () => void {
    return this.#parts.circuit.onOpen(listener);
  }

  /** The trip that refuses a step with none of these permits. @internal */
  refusal(...permits: readonly (Permit | undefined)[]): Trip | undefined {
    return this.#parts.circuit.refusal(...permits);
  }

  /** Emits an error that occurred in a report. @internal */
  reportError(error: unknown): void {
    this.#parts.events.emit('error', { error, during: 'signal' });
  }

  /** Closes the circuit and forgets what was said. Spend is kept. */
  reset(): void {
    const { spend, observer, handler, judge, circuit } = this.#parts;
    spend.forget();
    spend.beginRun();
    this.#release(spend.releaseAll());
    observer.reset();
    handler.renewWarnings();
    judge.reset();
    circuit.reset();
  }

  /** Closes the circuit if it opened for this kind, and forgets nothing. @internal */
  resume(kind: FindingKind): void {
    if (this.trip?.kind === kind) this.#parts.circuit.reset();
  }

  /**
   * Begins a run at `at`, by default at its first signal. The declared limits (messages, turns, run time) and
   * `budget.perConversation` start from zero, and a pending question to the judge is dropped. The history stays, and so does
   * the circuit unless one of these limits opened it.
   */
  beginRun(at?: number): void {
    this.#parts.limits.begin(at);
    this.#parts.gates.clear();
    this.#parts.spend.beginRun();
    this.#parts.judge.drop();
    if (isOfRun(this.trip)) this.#parts.circuit.reset();
    this.#parts.events.emit('run', { at });
  }

  /** The state as plain JSON. @internal */
  snapshot(): ConversationSnapshot {
    return snapshotOf(this.#parts);
  }

  /** The state for another process to go on with. @internal */
  depart(): ConversationSnapshot {
    this.#parts.spend.leaveHome();
    return this.snapshot();
  }

  /**
   * Restores a {@link Conversation.snapshot}. If that fails, the conversation is as it was.
   * @throws {@link InvalidSnapshotError} naming the wrong field. @internal
   */
  restore(snapshot: unknown): void {
    restoreParts(this.#parts, snapshot);
  }

  /** What was reserved before a trip is released once the trip is over. A trip ends a question to the judge. */
  #changed(from: CircuitState, to: CircuitState): void {
    const { spend, judge } = this.#parts;
    const isOver = to.status === 'closed' && from.status === 'half-open';
    if (isOver) this.#release(spend.releaseTripped());
    if (to.status !== 'open' && to.status !== 'stopped') return;
    spend.tripped();
    judge.drop();
  }

  #release(released: MaybePromise<undefined>): void {
    this.#parts.handler.reactLater(released, this.nextIndex, this.now());
  }
}

/** Whether a trip came from a limit that starts from zero with each run. */
function isOfRun(trip: Trip | undefined): boolean {
  return trip?.kind === 'limit' || trip?.evidence.purse === 'conversation';
}
