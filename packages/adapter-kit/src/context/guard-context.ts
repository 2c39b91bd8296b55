import {
  type Admission,
  type AdmissionRequest,
  type Breaker,
  BudgetStoreError,
  type Conversation,
  type Finding,
  type MaybePromise,
  type ModelRequestSignal,
  type Permit,
  type Signal,
  type Trip,
  TrippedError,
  type Unsubscribe,
} from '@teamfuse/core';
import { checkBreaker } from '../install/check-breaker.ts';
import { type SafePrices, safePrices } from '../models/safe-prices.ts';
import { withdrawal } from '../models/withdrawal.ts';
import { type Origin, originOf } from '../signals/origin.ts';
import type { GuardActivity } from './error-report.ts';
import { type CheckedOptions, checkOptions, type GuardOptions } from './guard-options.ts';
import { inScope } from './in-scope.ts';
import { after, isPromise } from './maybe-promise.ts';
import { Nudges } from './nudges.ts';
import { OutermostRun } from './run.ts';
import type { Run, Scope } from './scope.ts';
import { SharedState } from './shared-state.ts';
import type { StepOptions, StepOutcome } from './step-options.ts';
import { storeTrip } from './store-trip.ts';
import { tripIn } from './trip-in.ts';
import { untilAborted } from './until-aborted.ts';

const FREE: Permit = { isProbe: false, release: () => {} };
const NEVER: AbortSignal = new AbortController().signal;

/** How an outermost run begins. */
export interface OpenRunOptions {
  /** Whether it restarts the declared limits. @defaultValue true */
  readonly restartsLimits?: boolean;
  /** Whether warnings that are still pending are dropped. @defaultValue true */
  readonly dropsNudges?: boolean;
}

/** What the taps of one guard share: the breaker, the current place, and how to ask and to report. */
export class GuardContext<L = unknown> {
  readonly breaker: Breaker;
  readonly options: CheckedOptions & { readonly prices: SafePrices };
  readonly shared: SharedState;
  readonly nudges: Nudges;
  readonly #runs: Set<OutermostRun> = new Set();
  #subscriptions: readonly Unsubscribe[] = [];
  /** Whether the guard is installed. Taps that cannot be removed let everything pass otherwise. */
  isActive = true;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, options: GuardOptions = {}) {
    const checked = checkOptions(options);
    this.breaker = checkBreaker('the team', breaker);
    this.shared = SharedState.of(breaker);
    this.nudges = new Nudges(checked.nudge);
    const report = (error: unknown): void => this.report('observe', error);
    this.options = { ...checked, prices: safePrices(checked.prices, report) };
  }

  /** Passes warnings on to the team, and errors of the breaker to `onError`. {@link GuardContext.close} ends that. */
  listen(): void {
    this.#subscriptions = [
      this.breaker.on('warn', ({ conversation, finding }) => this.#warn(conversation, finding)),
      this.breaker.on('error', ({ error }) => this.report('breaker', error)),
    ];
  }

  /** The current place inside a run; `undefined` outside of all. */
  get scope(): Scope<L> | undefined {
    return this.shared.scope as Scope<L> | undefined;
  }

  /** The conversation of the current run; the breaker's main one outside of all. */
  get conversation(): Conversation {
    return this.scope?.run.conversation ?? this.breaker.conversation('');
  }

  /** Why a run was stopped or is refused; `undefined` while the team may go on. */
  get trip(): Trip | undefined {
    for (const { trip } of this.#runs) if (trip !== undefined) return trip;
    return this.breaker.trip;
  }

  /** Runs `work` at a place. */
  within<T>(scope: Scope<L> | undefined, work: () => T): T {
    return scope === undefined ? work() : this.shared.enter(scope, work);
  }

  /** Passes a stream on that runs at a place. */
  stream<T, R>(scope: Scope<L> | undefined, open: () => AsyncIterable<T, R>): AsyncGenerator<T, R> {
    return inScope((work) => this.within(scope, work), open);
  }

  /** The same for a stream without steps inside: the wait for an item ends when the run is aborted. */
  leafStream<T, R>(
    scope: Scope<L> | undefined,
    open: () => AsyncIterable<T, R>,
  ): AsyncGenerator<T, R> {
    return inScope(
      (work) => this.within(scope, work),
      open,
      (item) => this.untilStopped(item, scope?.run.signal),
    );
  }

  /** Who, when and how deep, for a signal by `agent`. */
  originOf(agent: string): Origin {
    return originOf(agent, this.breaker.now(), this.scope?.depth ?? 0);
  }

  /** Opens an outermost run. {@link GuardContext.closeRun} ends it. */
  openRun({ restartsLimits = true, dropsNudges = true }: OpenRunOptions = {}): OutermostRun {
    const run = new OutermostRun(this.shared.conversations);
    if (restartsLimits) run.conversation.beginRun(this.breaker.now());
    run.watchTime();
    if (dropsNudges) this.nudges.take(run.conversation.id);
    this.#runs.add(run);
    return run;
  }

  /** The place of an agent that is asked outside of any run. */
  looseScope(name: string): Scope<L> {
    const { conversation } = this;
    return {
      run: { conversation, trip: undefined, isRefused: false, signal: NEVER },
      depth: 0,
      path: [name],
    };
  }

  /** Whether the guard tests itself here: nothing of the team may work then. */
  get isRehearsal(): boolean {
    return this.scope?.run.isRehearsal === true;
  }

  /** The warning for the next model call or turn; each is returned once. */
  takeNudge(): string | undefined {
    return this.isRehearsal ? undefined : this.nudges.take(this.conversation.id);
  }

  /** Reports a task that is a text, by code unless `isTaskFromPerson` says otherwise. */
  reportTask(text: string, agent = 'user'): void {
    const automatic = !this.options.isTaskFromPerson && { isAutomatic: true };
    this.observe({ kind: 'human-input', ...this.originOf(agent), text, ...automatic });
  }

  /** Ends a run. Idempotent. */
  closeRun(run: OutermostRun): void {
    this.#runs.delete(run);
    run.end();
  }

  /** Reports a signal. Errors are reported, and never reach the team. */
  observe(signal: Signal): void {
    this.attempt('observe', () => this.conversation.observe(signal));
    this.#watchTime();
  }

  /** Runs `work` of the guard; an error is reported, and `undefined` returned. */
  attempt<T>(during: GuardActivity, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.report(during, error);
      return undefined;
    }
  }

  /** Hands an error to `onError`. A handler that throws is ignored. */
  report(during: GuardActivity, error: unknown): void {
    try {
      this.options.onError({ during, error });
    } catch {}
  }

  /**
   * Asks whether a step may begin.
   *
   * A budget store that fails refuses the step, and so ends the run. Any other error in asking is reported, and the step
   * admitted. `signal` ends the wait for other calls, where a budget lets calls wait.
   *
   * @throws {@link TrippedError} when the step is refused.
   */
  async admit(request: AdmissionRequest, signal?: AbortSignal | undefined): Promise<Permit> {
    return this.ask(request, signal);
  }

  /**
   * {@link GuardContext.admit} for callers that cannot wait: the answer comes at once unless a judge or a store is asked.
   *
   * @throws {@link TrippedError} when the step is refused.
   */
  ask(request: AdmissionRequest, signal?: AbortSignal | undefined): MaybePromise<Permit> {
    const { conversation, scope } = this;
    if (scope?.run.trip !== undefined) return this.#granted(refused(scope.run.trip));
    let pending: MaybePromise<Admission>;
    try {
      pending = conversation.admit(request, { within: scope?.permit, signal });
    } catch (error) {
      this.report('admit', error);
      const { trip } = conversation;
      return trip === undefined ? FREE : this.#granted(refused(trip));
    }
    // The request may be the first signal of the run.
    this.#watchTime();
    const answered = isPromise(pending)
      ? Promise.resolve(pending).catch((error: unknown) => this.#unanswered(request, error))
      : pending;
    return after(answered, (admission) => {
      const permit = this.#granted(admission);
      if (scope?.run.trip === undefined) return permit;
      // The circuit has opened since: by a listener, or by another branch.
      permit.release();
      if (request.kind === 'model-request') this.withdraw(request);
      return this.#granted(refused(scope.run.trip));
    });
  }

  /**
   * Asks for a model call that decides who speaks next.
   *
   * Once an open circuit has cooled down, such a call belongs to the probe it leads to and must not become the probe.
   *
   * @throws {@link TrippedError} when the call is refused.
   */
  async admitSelection(
    request: ModelRequestSignal,
    signal?: AbortSignal | undefined,
  ): Promise<void> {
    const { conversation, scope } = this;
    const { state } = conversation;
    const isDue = state.status === 'open' && this.breaker.now() >= state.probeFrom;
    if (isDue && scope?.run.trip === undefined) this.observe(request);
    else await this.admit(request, signal);
  }

  /**
   * Runs a step: asks, runs `work` at its place, reports the outcome and releases the permit.
   *
   * @throws {@link TrippedError} when the step is refused, or stopped while it waits.
   */
  async step<T>(
    request: AdmissionRequest,
    work: (permit: Permit) => MaybePromise<T>,
    { report, scope = this.scope, isLeaf = false, signal }: StepOptions<T, L> = {},
  ): Promise<T> {
    const permit = await this.admit(request);
    const place = permit.isProbe && scope ? { ...scope, permit } : scope;
    const isWork = request.kind === 'tool-call' || request.kind === 'execution';
    const isSilent = (error: unknown): boolean => isWork && this.isCutOff(error, signal);
    try {
      const working = this.#reported(place, () => work(permit), report, isSilent);
      return await (isLeaf ? this.untilStopped(working) : working);
    } finally {
      permit.release();
    }
  }

  /** Waits for `work`, but no longer than until the run is aborted. */
  untilStopped<T>(
    work: Promise<T>,
    signal: AbortSignal | undefined = this.scope?.run.signal,
  ): Promise<T> {
    return untilAborted(work, signal);
  }

  /** Whether an error says that work was refused, stopped or cancelled, and nothing about the work itself. */
  isCutOff(error: unknown, signal?: AbortSignal | undefined): boolean {
    const isAborted = signal?.aborted === true || this.scope?.run.signal.aborted === true;
    return isAborted || tripIn(error) !== undefined;
  }

  /** The signals of the caller and of the run as one. */
  abortSignal(given?: AbortSignal | undefined): AbortSignal | undefined {
    const own = this.scope?.run.signal;
    if (own === undefined || given === undefined) return given ?? own;
    return AbortSignal.any([given, own]);
  }

  /** Releases the reservation of a model call that is not made. */
  withdraw(request: ModelRequestSignal): void {
    this.observe(withdrawal(request, this.breaker.now()));
  }

  /** Ends the guard's part in events and runs. Idempotent. */
  close(): void {
    this.isActive = false;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
  }

  async #reported<T>(
    place: Scope<L> | undefined,
    work: () => MaybePromise<T>,
    report: StepOptions<T, L>['report'],
    isSilent: (error: unknown) => boolean,
  ): Promise<T> {
    let outcome: StepOutcome<T>;
    try {
      outcome = { value: await this.within(place, work) };
    } catch (error) {
      outcome = { error };
    }
    const isReported = 'value' in outcome || !isSilent(outcome.error);
    const signal = isReported ? this.attempt('observe', () => report?.(outcome)) : undefined;
    if (signal !== undefined) this.observe(signal);
    if ('value' in outcome) return outcome.value;
    throw outcome.error;
  }

  #watchTime(): void {
    const { run } = this.scope ?? {};
    if (run instanceof OutermostRun) run.watchTime();
  }

  #unanswered(request: AdmissionRequest, error: unknown): Admission {
    // Any other error is the caller's own, who has ended the wait. The breaker has reported this one.
    if (!(error instanceof BudgetStoreError)) throw error;
    return refused(storeTrip(request, error, this.conversation, this.breaker.now()));
  }

  #granted(admission: Admission): Permit {
    if (admission.isAdmitted) return admission.permit;
    const { run } = this.scope ?? {};
    if (run !== undefined) refuse(run, admission.trip);
    throw new TrippedError(admission.trip);
  }

  #warn(conversation: string, finding: Finding): void {
    this.attempt('warn', () => this.nudges.add(conversation, finding));
  }
}

function refused(trip: Trip): Admission {
  return { isAdmitted: false, trip };
}

function refuse(run: Run, trip: Trip): void {
  run.trip ??= trip;
  run.isRefused = true;
}
