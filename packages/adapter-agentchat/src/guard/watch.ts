import type { ChatItem } from '@teamfuse/agentchat';
import {
  type Admission,
  type AdmissionRequest,
  type Breaker,
  type Finding,
  type ModelRequestSignal,
  type Permit,
  type Signal,
  type Trip,
  TrippedError,
} from '@teamfuse/core';
import type { Ledger } from '../ledger.ts';
import type { Observer } from '../observer.ts';
import type { Tapped } from '../signals/item-reader.ts';
import { type Origin, originOf } from '../signals/origin.ts';
import { carefully } from '../signals/usage-signal.ts';
import type { Drill } from './drill.ts';
import type { CheckedOptions } from './guard-options.ts';
import { inScope } from './in-scope.ts';
import { Nudges } from './nudges.ts';
import type { Run, Scope } from './scope.ts';

const FREE: Permit = { isProbe: false, done: () => {} };

/** What the taps of one guard share: the breaker, the scopes, and how to ask and to tell. */
export class Watch {
  readonly options: CheckedOptions;
  readonly #nudges: Nudges;
  readonly #observer: Observer;
  readonly #runs: Set<Run> = new Set();
  #lastId = 0;
  /** Whether the guard is installed; a tap that is still on somebody's way lets everything pass otherwise. */
  isActive = true;

  constructor(observer: Observer, options: CheckedOptions) {
    this.#observer = observer;
    this.options = carefully(options, (error) => observer.report('observe', error));
    this.#nudges = new Nudges(options.nudge);
  }

  get ledger(): Ledger {
    return this.#observer.ledger;
  }

  get observer(): Observer {
    return this.drill?.observer ?? this.#observer;
  }

  /** What stands in for breaker and agents, during a self-test. */
  get drill(): Drill | undefined {
    return this.scope?.run.drill;
  }

  get breaker(): Breaker {
    return this.observer.breaker;
  }

  /** Where in a run the caller is; `undefined` outside of all. */
  get scope(): Scope | undefined {
    return this.ledger.scopes.getStore();
  }

  /** Does something as a part of a scope. */
  within<T>(scope: Scope | undefined, work: () => T): T {
    return scope === undefined ? work() : this.ledger.scopes.run(scope, work);
  }

  /** Passes a stream on as a part of a scope. */
  stream<T, R>(scope: Scope | undefined, open: () => AsyncIterable<T, R>): AsyncGenerator<T, R> {
    return inScope((work) => this.within(scope, work), open);
  }

  /** An id that no other step of this guard has. */
  nextId(name: string): string {
    this.#lastId += 1;
    return `${name}#${this.#lastId}`;
  }

  /** What a signal by `agent` says of time and place. */
  originOf(agent: string): Origin {
    return originOf(agent, this.breaker.now(), this.scope?.depth ?? 0);
  }

  /**
   * Asks for leave to take a step.
   *
   * A store of budgets that fails refuses the call. What else goes wrong with asking is reported, and the step taken.
   *
   * @throws TrippedError when the step is refused.
   */
  async ask(request: AdmissionRequest): Promise<Permit> {
    const { scope } = this;
    if (scope?.run.trip !== undefined) {
      return this.#granted({ isAdmitted: false, trip: scope.run.trip });
    }
    let pending: ReturnType<Breaker['admit']>;
    try {
      pending = this.breaker.admit(request, scope?.permit ? { within: scope.permit } : {});
    } catch (error) {
      this.observer.report('admit', error);
      return this.#unlessOpen();
    }
    const permit = this.#granted(await pending);
    if (scope?.run.trip === undefined) return permit;
    // A listener has stopped the breaker while it was being asked.
    permit.done();
    if (request.kind === 'model-request') this.#withdraw(request);
    return this.#granted({ isAdmitted: false, trip: scope.run.trip });
  }

  /**
   * Asks for a model call that decides who speaks next.
   *
   * Once an open circuit has cooled down, such a call belongs to the probe it leads to, and must not become the probe
   * in the place of that turn.
   *
   * @throws TrippedError when the call is refused.
   */
  async askForManager(request: ModelRequestSignal): Promise<void> {
    const { state } = this.breaker;
    const isDue = state.status === 'open' && this.breaker.now() >= state.probeFrom;
    if (isDue && this.scope?.run.trip === undefined) this.signal(request);
    else await this.ask(request);
  }

  /** Tells one thing that happened. */
  signal(signal: Signal): void {
    this.observer.signal(signal);
  }

  /** Tells what items say, as far as it has not been told. */
  items(items: readonly ChatItem[], tapped?: Tapped): void {
    if (!this.isActive) return;
    const depth = this.scope?.depth ?? 0;
    const { models, prices } = this.options;
    this.observer.items(items, {
      depth,
      ...(models !== undefined && { models }),
      ...(prices !== undefined && { prices }),
      ...(tapped && { tapped }),
    });
  }

  /** A run begins; the first on a breaker starts the declared limits afresh. */
  runBegins(run: Run): void {
    if (this.ledger.guardedRuns === 0) {
      this.breaker.beginRun();
      this.#nudges.clear();
    }
    this.ledger.guardedRuns += 1;
    this.#runs.add(run);
  }

  /** A run is over. Harmless when said twice. */
  runEnds(run: Run): void {
    if (this.#runs.delete(run)) this.ledger.guardedRuns -= 1;
  }

  /** The team is to be told of a finding. */
  warn(finding: Finding): void {
    try {
      this.#nudges.add(finding);
    } catch (error) {
      this.#observer.report('warn', error);
    }
  }

  /** What the team is to be told now, once. */
  takeNudge(): string | undefined {
    return this.drill === undefined ? this.#nudges.take() : undefined;
  }

  /** The circuit has opened: all runs under way are over. */
  endRuns(trip: Trip): void {
    for (const run of this.#runs) run.trip ??= trip;
  }

  #granted(admission: Admission): Permit {
    if (admission.isAdmitted) return admission.permit;
    const run = this.scope?.run;
    if (run !== undefined) {
      run.trip ??= admission.trip;
      run.isRefused = true;
    }
    throw new TrippedError(admission.trip);
  }

  /** Lets go of what was reserved for a call that will not be made. */
  #withdraw({ agent, model, requestId, depth }: ModelRequestSignal): void {
    this.signal({
      kind: 'usage',
      at: this.breaker.now(),
      agent,
      model,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      error: { message: 'the call was refused', code: 'TRIPPED' },
      ...(requestId !== undefined && { requestId }),
      ...(depth !== undefined && { depth }),
    });
  }

  #unlessOpen(): Permit {
    const { trip } = this.breaker;
    if (trip === undefined) return FREE;
    return this.#granted({ isAdmitted: false, trip });
  }
}
