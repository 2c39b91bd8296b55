import {
  type Breaker,
  type Conversation,
  type Signal,
  type Trip,
  TrippedError,
} from '@teamfuse/core';
import {
  type Admission,
  type AdmissionRequest,
  type AdmitOptions,
  FREE_PERMIT,
  isPromise,
  type MaybePromise,
  type Permit,
  type StepHost,
} from '@teamfuse/core/kit';
import { withEarlierTrip } from './earlier-trip.ts';
import type { GuardActivity } from './error-report.ts';
import { isAnswerDue, mayWriteUp } from './last-answer.ts';
import { OutermostRun } from './run.ts';
import type { Run, Scope } from './scope.ts';

const ADMITTED: Admission = { isAdmitted: true, permit: FREE_PERMIT };

/** The part of a guard's context that its steps need. */
interface StepContext {
  readonly breaker: Breaker;
  readonly conversation: Conversation;
  readonly scope: Scope | undefined;
  readonly canWrapUp: boolean;
  observe(signal: Signal): void;
  report(during: GuardActivity, error: unknown): void;
}

/** What a step is at its place. */
export interface StepTraits {
  /** Whether the wait for it ends when the run is aborted. Steps with steps inside end by those. @defaultValue false */
  readonly isLeaf?: boolean | undefined;
  /**
   * Whether it is a model call that decides who speaks next. Once an open circuit has cooled down, such a call belongs to the probe
   * it leads to and must not become the probe. @defaultValue false
   */
  readonly isSelection?: boolean | undefined;
  /** Whether it is a turn that leads to a model call, which may be the last answer of a stopped run. @defaultValue false */
  readonly asksModel?: boolean | undefined;
}

/** Where a guard runs its steps: a conversation, and a run in it whose trip holds until the run is over. */
export class ScopedHost implements StepHost {
  /** The permit of the step that it is in. */
  readonly within: Permit | undefined;
  readonly #context: StepContext;
  readonly #run: Run | undefined;
  readonly #conversation: Conversation;
  readonly #traits: StepTraits;
  /** Whether it is let through after a stop, as it leads to the last answer. */
  #isOfLastAnswer = false;

  constructor(context: StepContext, traits: StepTraits) {
    this.#context = context;
    const { scope } = context;
    this.within = scope?.permit;
    this.#run = scope?.run;
    this.#conversation = scope?.run.conversation ?? context.conversation;
    this.#traits = traits;
  }

  /**
   * Asks whether a step may begin. A budget store that fails refuses it, and so ends the run; any other error in asking is reported,
   * and the step admitted.
   */
  admit(request: AdmissionRequest, options: AdmitOptions): MaybePromise<Admission> {
    const trip = this.#run?.trip;
    if (trip !== undefined) return this.#refused(request, trip);
    if (this.#isSpared(request)) return ADMITTED;
    if (this.#traits.isSelection === true && this.#isProbeDue) {
      this.observe(request as Signal);
      return ADMITTED;
    }
    let answer: MaybePromise<Admission>;
    try {
      answer = this.#conversation.admit(request, options);
    } catch (error) {
      return this.#unanswered(request, error, options);
    }
    // The request may be the first signal of the run.
    if (this.#run instanceof OutermostRun) this.#run.watchTime();
    if (!isPromise(answer)) return this.#answered(request, answer);
    return answer.then(
      (admission) => this.#answered(request, admission),
      (error: unknown) => this.#unanswered(request, error, options),
    );
  }

  observe(signal: Signal): void {
    this.#context.observe(signal);
  }

  onOpen(listener: (trip: Trip) => void): () => void {
    const isWaitedFor = this.#traits.isLeaf === true && this.#run instanceof OutermostRun;
    return isWaitedFor ? this.#run.onStop(listener) : () => {};
  }

  /** The trip of the run. */
  refusal(): Trip | undefined {
    const run = this.#run;
    if (run?.trip === undefined || this.#isOfLastAnswer) return undefined;
    run.isRefused = true;
    return run.trip;
  }

  reportError(error: unknown): void {
    this.#context.report('observe', error);
  }

  now(): number {
    return this.#context.breaker.now();
  }

  /** A turn that wraps up costs nothing but its calls, which are asked for. */
  #isSpared({ kind }: AdmissionRequest): boolean {
    if (this.#run?.isWrapUp !== true || kind !== 'turn') return false;
    const { trip } = this.#conversation;
    return trip?.kind === 'budget' || mayWriteUp(this.#context, trip);
  }

  get #isProbeDue(): boolean {
    const { state } = this.#conversation;
    return state.status === 'open' && this.now() >= state.probeFrom;
  }

  #answered(request: AdmissionRequest, admission: Admission): Admission {
    // The run goes on without a step that is refused alone.
    if (admission.isAdmitted || admission.trip.isStepOnly) return admission;
    const run = this.#run;
    const { trip } = admission;
    return this.#refused(request, run === undefined ? trip : withEarlierTrip(run, trip));
  }

  #unanswered(request: AdmissionRequest, error: unknown, { signal }: AdmitOptions): Admission {
    // The breaker has reported it.
    if (isOfStore(error)) {
      return this.#refused(request, storeTrip(request, error, this.#conversation, this.now()));
    }
    // The caller has ended the wait.
    if (signal?.aborted) throw error;
    this.#context.report('admit', error);
    const { trip } = this.#conversation;
    return trip === undefined ? ADMITTED : this.#refused(request, trip);
  }

  #refused({ kind }: AdmissionRequest, trip: Trip): Admission {
    const run = this.#run;
    if (run !== undefined) run.trip ??= trip;
    // A turn that leads to the last answer costs nothing but that.
    const leadsOn = kind === 'turn' && this.#traits.asksModel === true;
    this.#isOfLastAnswer =
      leadsOn && isAnswerDue(this.#context) && (run as OutermostRun).takesLastTurn();
    if (this.#isOfLastAnswer) return ADMITTED;
    if (run !== undefined) run.isRefused = true;
    return { isAdmitted: false, trip };
  }
}

/** The permit of a step that was admitted. @throws {@link TrippedError} when it was refused. */
export function permitOf(admission: Admission): Permit {
  if (admission.isAdmitted) return admission.permit;
  throw new TrippedError(admission.trip);
}

/** Whether an error is a `BudgetStoreError`, of this copy of core or another. */
function isOfStore(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'BUDGET_STORE';
}

/** Why a step is refused that the budget store gave no answer for. No circuit has opened. */
function storeTrip(
  { agent }: AdmissionRequest,
  { message }: Error,
  { id, cost, nextIndex }: Conversation,
  at: number,
): Trip {
  return {
    kind: 'budget',
    basis: 'declared',
    conversation: id,
    reason: `the budget could not be checked: ${message}`,
    at,
    index: nextIndex,
    agents: [agent],
    evidence: { agents: [agent], indices: [], count: 1, limit: 1, signals: [], cost },
  };
}
