import { setMaxListeners } from 'node:events';
import { type Breaker, type Finding, type Signal, type Trip, TrippedError } from '@teamfuse/core';
import {
  type AdmissionRequest,
  andThen,
  askForStep,
  inBackground,
  internalsOf,
  type MaybePromise,
  orRejection,
  type Permit,
  type Pricing,
  runStep,
  type ToolCallSignal,
  tell,
  toJson,
  type Unsubscribe,
  untilAborted,
  withoutLaps,
} from '@teamfuse/core/kit';
import { orInvalid } from '@teamfuse/core/options';
import { checkBreaker } from '../install/check-breaker.ts';
import { lendJudge } from '../judge/lend-judge.ts';
import type { TeamModel } from '../judge/team-model.ts';
import { type Origin, originOf } from '../signals/origin.ts';
import { toolName } from '../signals/tool-name.ts';
import type { GuardActivity } from './error-report.ts';
import { type CheckedOptions, checkOptions, type GuardOptions } from './guard-options.ts';
import { type Abilities, resultOf } from './last-answer.ts';
import { NUDGE_AUTHOR } from './nudges.ts';
import { type AskedCall, OpenCalls } from './open-calls.ts';
import { passOn } from './passed-stream.ts';
import { OutermostRun } from './run.ts';
import { RunContext } from './run-context.ts';
import { inside, type Scope } from './scope.ts';
import { permitOf, ScopedHost } from './scoped-host.ts';
import type { AskOptions, StepOptions } from './step-options.ts';
import type { StreamWithResult } from './stream-with-result.ts';
import { tripIn } from './trip-in.ts';

/** What came of a call that no tool was asked about. */
export interface UnreachedOutcome extends Pick<ToolCallSignal, 'result' | 'error'> {
  /** Whether it was denied, so that it did not run. @defaultValue whether it has an error, and was answered in another run */
  readonly isDenied?: boolean;
}

/** What the taps of one guard share: the breaker, the current place, and how to ask and to report. */
export class GuardContext<L = unknown> extends RunContext<L> {
  readonly options: CheckedOptions;
  /** Whether the adapter can take the tools from a model call and bound its answer, for the last answer of a stopped run. */
  readonly canWrapUp: boolean;
  /** What model calls cost: as the breaker says, unless the options say otherwise. */
  readonly pricing: Pricing;
  /** The calls of tools that answers have asked for. */
  readonly openCalls: OpenCalls = new OpenCalls();
  /** Signals are joined once: each remembers all that it was joined into, and frameworks give the same one to every step of a run. */
  readonly #joint: WeakMap<AbortSignal, { readonly own: AbortSignal; readonly both: AbortSignal }> =
    new WeakMap();
  #unsubscribe: Unsubscribe | undefined;
  #takeBack: Unsubscribe | undefined;
  #isInstalled = true;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, options: GuardOptions = {}, can: Abilities = {}) {
    const checked = checkOptions(options, breaker);
    super(checkBreaker('the team', breaker), checked);
    this.options = checked;
    this.canWrapUp = orInvalid('can', 'an object', can, () => can.canWrapUp === true);
    const { prices, models } = checked;
    // The breaker keeps the judge, which keeps this callback, which must not keep the guard.
    const own = new WeakRef(this);
    const report = (error: unknown): void => own.deref()?.report('observe', error);
    const hasOwn = prices !== undefined || models !== undefined;
    const { pricing } = internalsOf(breaker);
    this.pricing = hasOwn ? pricing.with({ prices, models }, report) : pricing;
  }

  /** Whether the guard is installed, and neither another one tests itself here nor a judge asks. Otherwise its taps let everything pass. */
  get isActive(): boolean {
    return this.#isInstalled && !this.shared.isForeign;
  }

  /** Passes warnings on to the team, and errors of the breaker to `onError`. {@link GuardContext.close} ends that. */
  listen(): void {
    this.#unsubscribe ??= this.shared.listeners.add(this);
  }

  /**
   * Lends the breaker the judge that the options ask for. `model` is the one that the team asks, if it has any.
   * {@link GuardContext.close} takes the judge back.
   *
   * @throws {@link GuardInstallError} if the model of the team is to be asked, and it has none.
   * @throws {@link InvalidOptionError} if the breaker or the client cannot take the judge.
   */
  lendJudge(model: TeamModel | undefined): void {
    this.#takeBack ??= lendJudge(this, model);
  }

  /** Passes a stream on that runs at a place; `onItem` receives its items there. */
  stream<T, R>(
    scope: Scope<L> | undefined,
    open: () => StreamWithResult<T, R>,
    onItem?: (item: T) => void,
  ): AsyncGenerator<T, R> {
    return passOn(this, () => ({ open, onItem, scope }));
  }

  /** Who, when and how deep, for a signal by `agent`. */
  originOf(agent: string): Origin {
    return originOf(agent, this.breaker.now(), this.scope?.depth ?? 0);
  }

  /** The warning for the next model call or turn; each is returned once. */
  takeNudge(): string | undefined {
    if (this.isRehearsal || !this.isActive) return undefined;
    const text = this.nudges.take(this.conversation.id);
    if (text !== undefined) this.reportNotice(text);
    return text;
  }

  /** What a model is asked with: the warning for the team stands at its end, and laps are left out that the team was told of. */
  prompt<T>(given: readonly T[], asMessage: (text: string) => T): readonly T[] {
    const warning = this.takeNudge();
    const messages = this.withoutLaps(given);
    return warning === undefined ? messages : [...messages, asMessage(warning)];
  }

  /** A prompt without the laps that the team was told of, where `cutLaps` asks for that. What tells its messages apart but ids of calls counts. */
  withoutLaps<T>(messages: readonly T[]): readonly T[] {
    const { isToldOfLoop } = internalsOf(this.breaker);
    const isCut = this.options.cutLaps && this.isActive && isToldOfLoop(this.conversation);
    return isCut ? (this.attempt('warn', () => withoutLaps(messages)) ?? messages) : messages;
  }

  /** Reports what the team is told, where the guard hands it over by itself. */
  reportNotice(text: string): void {
    this.observe({ kind: 'notice', ...this.originOf(NUDGE_AUTHOR), text });
  }

  /** The result of a call that is refused by itself while the team goes on (`trip.isStepOnly`). */
  refusalOf(trip: Trip): string {
    return this.attempt('warn', () => this.nudges.refusal(trip)) ?? trip.reason;
  }

  /** Reports a task that is a text, by code unless `isTaskFromPerson` says otherwise. */
  reportTask(text: string, agent = 'user'): void {
    const automatic = !this.options.isTaskFromPerson && { isAutomatic: true };
    this.observe({ kind: 'human-input', ...this.originOf(agent), text, ...automatic });
  }

  /** Reports what the answer of a model says; nothing for one without words. */
  reportAnswer(text: string, agent: string): void {
    if (!this.isActive || text === '') return;
    this.observe({ kind: 'message', ...this.originOf(agent), text });
  }

  /** An answer asks for calls of tools. */
  callsAsked(agent: string, calls: readonly AskedCall[]): void {
    if (this.isActive) this.openCalls.asked(this.scope, agent, calls);
  }

  /**
   * Reports the outcome of a call that a history gives, unless the call has reached its tool. `outcomeOf` is called only for a call
   * that is still open. Without an outcome, nothing is reported.
   */
  callAnswered(id: string, outcomeOf: () => UnreachedOutcome | undefined): void {
    const call = this.isActive ? this.openCalls.unreached(this.scope, id) : undefined;
    const outcome = call && outcomeOf();
    if (call === undefined || outcome === undefined) return;
    const { agent, tool, args, isFromEarlierRun } = call;
    this.openCalls.reached(this.scope, tool, id);
    const { isDenied, ...reported } = outcome;
    const { error } = reported;
    const isRejected = isDenied !== false && isFromEarlierRun && error !== undefined;
    const rejected = isRejected && { error: { code: 'REJECTED', ...error } };
    const made = { tool: toolName(tool), args: toJson(args), callId: id, ...reported, ...rejected };
    const refused = (isDenied || isRejected) && { executed: false };
    if (this.scope?.run instanceof OutermostRun) this.scope.run.wake();
    this.observe({ kind: 'tool-call', ...this.originOf(agent), ...made, ...refused });
  }

  /** Reports a signal. Errors are reported, and never reach the team. */
  observe(signal: Signal): void {
    const run = this.scope?.run;
    try {
      (run?.conversation ?? this.conversation).observe(signal);
    } catch (error) {
      this.report('observe', error);
    }
    if (run instanceof OutermostRun) run.watchTime();
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

  /** Lets `work` of the guard go on that nobody waits for; an error is reported. */
  inBackground(during: GuardActivity, work: () => MaybePromise<unknown>): void {
    inBackground(orRejection(work), (error) => this.report(during, error));
  }

  /** Hands an error to `onError`. A handler that fails is ignored. */
  report(during: GuardActivity, error: unknown): void {
    tell(this.options.onError, { during, error });
  }

  /**
   * Asks whether a step may begin. The answer comes at once unless a judge or a store is asked.
   *
   * @throws {@link TrippedError} when the step is refused.
   */
  ask(request: AdmissionRequest, { signal, ...traits }: AskOptions = {}): MaybePromise<Permit> {
    const place = new ScopedHost(this, traits);
    return andThen(askForStep(place, request, { within: place.within, signal }), permitOf);
  }

  /**
   * Runs a step: asks, runs `work` at its place, reports the outcome and releases the permit.
   *
   * @throws {@link TrippedError} when the step is refused, or stopped while it waits.
   */
  step<T>(
    request: AdmissionRequest,
    work: (permit: Permit) => MaybePromise<T>,
    { report, scope = this.scope, isLeaf, asksModel, signal, refusedAs }: StepOptions<T, L> = {},
  ): Promise<T> {
    const isWork = request.kind === 'tool-call' || request.kind === 'execution';
    const place = new ScopedHost(this, { isLeaf, asksModel });
    const started = orRejection(() =>
      runStep<T>(place, request, ({ permit }) => this.within(inside(scope, permit), work, permit), {
        within: place.within,
        askedUntil: signal,
        fallback: (trip) => {
          const text = refusedAs && resultOf(this, trip);
          if (text === undefined) throw new TrippedError(trip);
          return refusedAs?.(text) as T;
        },
        report: (outcome) => {
          const isSilent = isWork && 'error' in outcome && this.isCutOff(outcome.error, signal);
          return isSilent ? undefined : report?.(outcome);
        },
      }),
    );
    return Promise.resolve(started);
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
    const known = this.#joint.get(given);
    if (known?.own === own) return known.both;
    const both = AbortSignal.any([given, own]);
    // Each step under way listens, and any number of them may run side by side.
    setMaxListeners(0, both);
    this.#joint.set(given, { own, both });
    return both;
  }

  /** Ends the guard's part in events and runs. Idempotent. */
  close(): void {
    this.#isInstalled = false;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#takeBack?.();
    this.#takeBack = undefined;
    this.forgetTeam();
  }

  /** Keeps a warning of the breaker for the team. @internal */
  warned(conversation: string, finding: Finding): void {
    this.attempt('warn', () => this.nudges.add(conversation, finding));
  }

  /** Reports an error that the breaker emitted. @internal */
  failed(error: unknown): void {
    this.report('breaker', error);
  }
}
