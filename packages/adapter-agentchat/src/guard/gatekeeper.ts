import {
  type Admission,
  type AdmissionRequest,
  type Breaker,
  type ModelRequestSignal,
  type Permit,
  TrippedError,
} from '@teamfuse/core';
import type { Watch } from './watch.ts';

const FREE: Permit = { isProbe: false, release: () => {} };

/** Asks the breaker before a step is taken, as a part of the run that the step belongs to. */
export class Gatekeeper {
  readonly #watch: Watch;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /**
   * Asks for leave to take a step.
   *
   * A store of budgets that fails refuses the call. What else goes wrong with asking is reported, and the step taken.
   *
   * @throws TrippedError when the step is refused.
   */
  async ask(request: AdmissionRequest): Promise<Permit> {
    const { scope, breaker, observer } = this.#watch;
    if (scope?.run.trip !== undefined) {
      return this.#granted({ isAdmitted: false, trip: scope.run.trip });
    }
    let pending: ReturnType<Breaker['admit']>;
    try {
      pending = breaker.admit(request, scope?.permit ? { within: scope.permit } : {});
    } catch (error) {
      observer.report('admit', error);
      return this.#unlessOpen();
    }
    const permit = this.#granted(await pending);
    if (scope?.run.trip === undefined) return permit;
    // The breaker has opened since: by a listener, or by another branch.
    permit.release();
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
    const { scope, breaker, observer } = this.#watch;
    const { state } = breaker;
    const isDue = state.status === 'open' && breaker.now() >= state.probeFrom;
    if (isDue && scope?.run.trip === undefined) observer.signal(request);
    else await this.ask(request);
  }

  #granted(admission: Admission): Permit {
    if (admission.isAdmitted) return admission.permit;
    const run = this.#watch.scope?.run;
    if (run !== undefined) {
      run.trip ??= admission.trip;
      run.isRefused = true;
    }
    throw new TrippedError(admission.trip);
  }

  /** Lets go of what was reserved for a call that will not be made. */
  #withdraw({ agent, model, requestId, depth }: ModelRequestSignal): void {
    const { observer, breaker } = this.#watch;
    observer.signal({
      kind: 'usage',
      at: breaker.now(),
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
    const { trip } = this.#watch.breaker;
    if (trip === undefined) return FREE;
    return this.#granted({ isAdmitted: false, trip });
  }
}
