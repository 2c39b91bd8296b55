import { checkRun, type RunOptions, runStep, type Step } from '../admission/run-step.ts';
import { Ticket } from '../admission/ticket.ts';
import { unreadUsage } from '../admission/unread-usage.ts';
import { type Cost, type RunningTotal, unbooked } from '../budget/cost.ts';
import type { CircuitState } from '../circuit/circuit.ts';
import type { Admission, AdmitOptions, Permit } from '../circuit/permit.ts';
import { type Trip, TrippedError } from '../circuit/trip.ts';
import { isPromise, type MaybePromise } from '../common/maybe-promise.ts';
import { finite, orInvalid, textOf } from '../common/options.ts';
import type { Latest } from '../detection/latest.ts';
import type { Counters } from '../events/counters.ts';
import { parseSignal, requestOf, safeName, safeNames, withTime } from '../signal/parse-signal.ts';
import type { RequestInput } from '../signal/request.ts';
import type { ModelRequestSignal, SignalInput } from '../signal/signal.ts';
import { Tenant } from '../signal/tenant.ts';
import type { ConversationSnapshot } from './breaker-snapshot.ts';
import {
  beginRun,
  type ConversationParts,
  createParts,
  resetParts,
  restoreParts,
  retryInMs,
  type Shared,
  snapshotParts,
} from './conversation-parts.ts';

export const BY_HAND = 'stopped by hand';

/** Is told when a conversation is used, and when it becomes idle. */
interface ConversationListener {
  used(conversation: Conversation): void;
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
  /** What it is put together of. @internal */
  readonly parts: ConversationParts;
  readonly #shared: Shared;
  readonly #used: ConversationListener['used'];

  /**
   * `used` is called with each use, `idle` once nothing is under way any more.
   * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
   * @internal
   */
  constructor(id: string, shared: Shared, { used, idle }: ConversationListener) {
    this.id = id;
    this.tenant = Tenant.of(id);
    this.parts = createParts(id, shared, idle);
    this.#shared = shared;
    this.#used = used;
  }

  /** The state of the circuit. */
  get state(): CircuitState {
    return this.parts.circuit.state;
  }

  /** Why the circuit is not closed; `undefined` while it is. */
  get trip(): Trip | undefined {
    return this.parts.circuit.trip;
  }

  /** Whether an answer of the judge is awaited, or a step begun by {@link Conversation.run} or its like has not ended. @internal */
  get isUnderWay(): boolean {
    const { underWay, judge } = this.parts;
    return underWay.isAny || judge.isAsking;
  }

  /** The reported spend of this conversation. */
  get cost(): Cost {
    return this.parts.spend.history.total;
  }

  /** What happened so far; money and tokens are in {@link Conversation.cost}. */
  get counters(): Counters {
    return this.parts.events.tally.counters;
  }

  /** The latest failures, exit code and speakers. */
  get latest(): Latest {
    const { detection, trips } = this.parts;
    return { ...detection.limits.latest, speakers: trips.speakers };
  }

  /** The index that the next signal gets. */
  get nextIndex(): number {
    return this.parts.detection.nextIndex;
  }

  /** How many questions the judge was asked in this conversation. */
  get questions(): number {
    return this.parts.judge.questions;
  }

  /** The time on the breaker's clock, in milliseconds. */
  now(): number {
    return this.parts.now();
  }

  /**
   * Reports one thing that happened. Without `at`, it happened now.
   *
   * @returns the trip, if this signal opened the circuit.
   * @throws {@link InvalidSignalError} naming the bad field. The signal is ignored then.
   */
  observe(signal: SignalInput): Trip | undefined {
    const { observer, reactions, now } = this.parts;
    const bound = safeNames(parseSignal(withTime(signal, now)));
    const checked = bound.kind === 'usage' ? this.#shared.pricing.usage(bound) : bound;
    this.#used(this);
    return observer.take(checked) ?? reactions.askJudge();
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
    const asked = requestOf(request, this.parts.now);
    const read = (): AdmitOptions => {
      const { within, signal, willRelease, isIndependent } = options;
      return { within, signal, willRelease, isIndependent };
    };
    const given = orInvalid('within', 'a permit', options, read);
    this.#used(this);
    const { admissions } = this.parts;
    const bound = this.tenant.charged(safeNames(asked));
    const answer = admissions.admit(new Ticket(bound, given));
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
    return runStep(this, requestOf(request, this.parts.now), work, options);
  }

  /** Milliseconds until a call may be tried again that was refused by this trip; `undefined` if waiting does not help. @internal */
  retryInMs(trip: Trip): number | undefined {
    return retryInMs(this.parts, trip);
  }

  /** {@link Conversation.trip}, once a blocking judge has answered. */
  settled(): MaybePromise<Trip | undefined> {
    return this.parts.judge.isBlocking ? this.answered() : this.trip;
  }

  /** {@link Conversation.trip}, once the judge has answered any pending question. */
  answered(): MaybePromise<Trip | undefined> {
    const answered = this.parts.judge.answered();
    return answered === undefined ? this.trip : answered.then(() => this.trip);
  }

  /**
   * Books money that no {@link UsageSignal} reports, in US dollars; of a running total, what its team has not spent yet.
   * A store that fails is emitted as `error`.
   */
  trackCost(usd: number | RunningTotal, agent = ''): MaybePromise<Trip | undefined> {
    const nanoUsd = unbooked(usd, this.parts.spend.teamNanoUsd);
    const name = safeName(textOf('agent', agent));
    return this.parts.bookkeeper.track(nanoUsd, name, this.nextIndex, this.now());
  }

  /** Stops this conversation by hand, until a reset. */
  stop(reason: string = BY_HAND): Trip {
    return this.parts.reactions.stop(textOf('reason', reason), this.nextIndex, this.now());
  }

  /** Throws {@link TrippedError} unless the circuit is closed. */
  assertClosed(): void {
    if (this.trip !== undefined) throw new TrippedError(this.trip);
  }

  /** Milliseconds left of `maxRunMs`; `undefined` without this limit, or before the run begins. */
  get remainingMs(): number | undefined {
    const { limits } = this.parts.detection;
    // Adapters ask after every signal, and reading the clock takes time.
    return limits.isTimed ? limits.remainingMs(this.now()) : undefined;
  }

  /** Takes the last milliseconds, in which nothing was under way, off the run time. Adapters call this. */
  rested(ms: number): void {
    this.parts.detection.limits.wait(finite('ms', ms, 0), this.now());
  }

  /** Trips if the run has taken longer than `maxRunMs`. Adapters call this from a timer. */
  checkRunTime(): Trip | undefined {
    return this.parts.clock.check(this.now());
  }

  /** Trips when `maxRunMs` is over while `work`, begun at `at`, is under way. @internal */
  timed<T>(work: Promise<T>, at: number): Promise<T> {
    return this.parts.clock.during(work, at);
  }

  /** Calls `listener` synchronously when the circuit opens, before the events. Returns the function that unsubscribes. */
  onOpen(listener: (trip: Trip) => void): () => void {
    return this.parts.circuit.onOpen(listener);
  }

  /** The trip that refuses a step with none of these permits. @internal */
  refusal(...permits: readonly (Permit | undefined)[]): Trip | undefined {
    return this.parts.circuit.refusal(...permits);
  }

  /** Emits an error that occurred in a report. @internal */
  reportError(error: unknown): void {
    this.parts.events.emit('error', { error, during: 'signal' });
  }

  /** @internal */
  expects(request: ModelRequestSignal): { inputTokens: number; streamLimit: number | undefined } {
    const { streamLimit } = this.#shared.settings;
    return { inputTokens: this.parts.spend.promptTokens(request), streamLimit };
  }

  /** Emits that the usage of a model call cannot be read from what it returned; the first time only. @internal */
  reportUnread(returned: unknown): void {
    const { unread } = this.#shared;
    if (unread.isTold) return;
    unread.isTold = true;
    this.parts.events.emit('error', { error: unreadUsage(returned), during: 'usage' });
  }

  /** Closes the circuit and forgets what was said. Spend is kept. */
  reset(): void {
    resetParts(this.parts);
  }

  /**
   * Begins a run at `at`, by default at its first signal. The declared limits (messages, turns, run time) and
   * `budget.perConversation` start from zero, and a pending question to the judge is dropped. The history stays, and so does
   * the circuit unless one of these limits opened it.
   */
  beginRun(at?: number): void {
    beginRun(this.parts, at);
  }

  /** The state as plain JSON. @internal */
  snapshot(): ConversationSnapshot {
    return snapshotParts(this.parts);
  }

  /** The state for another process to go on with. @internal */
  depart(): ConversationSnapshot {
    this.parts.spend.leaveHome();
    return this.snapshot();
  }

  /**
   * Restores a {@link Conversation.snapshot}. If that fails, the conversation is as it was.
   * @throws {@link InvalidSnapshotError} naming the wrong field. @internal
   */
  restore(snapshot: unknown): void {
    restoreParts(this.parts, snapshot);
  }
}
