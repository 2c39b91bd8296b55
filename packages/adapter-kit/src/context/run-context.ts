import {
  type Breaker,
  type Conversation,
  type RunEnd,
  RunHistory,
  type Trip,
} from '@teamfuse/core';
import type { CheckedOptions } from './guard-options.ts';
import { Nudges } from './nudges.ts';
import { type OpenRunOptions, OutermostRun } from './run.ts';
import type { Scope } from './scope.ts';
import { SharedState } from './shared-state.ts';

const NEVER: AbortSignal = new AbortController().signal;

/** The runs that one guard watches, and the current place inside them. */
export class RunContext<L = unknown> {
  readonly breaker: Breaker;
  readonly shared: SharedState;
  readonly nudges: Nudges;
  readonly #runs: Set<OutermostRun> = new Set();
  readonly #history: RunHistory | undefined;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, { nudge, history }: Pick<CheckedOptions, 'nudge' | 'history'>) {
    this.breaker = breaker;
    this.shared = SharedState.of(breaker);
    this.nudges = new Nudges(nudge);
    this.#history = history && new RunHistory(breaker, history);
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

  /** Opens an outermost run. {@link GuardContext.closeRun} ends it. */
  openRun({ restartsLimits = true, dropsNudges = true }: OpenRunOptions = {}): OutermostRun {
    const run = new OutermostRun(this.shared.conversations);
    if (restartsLimits) run.conversation.beginRun(this.breaker.now());
    run.watchTime();
    if (dropsNudges) this.nudges.take(run.conversation.id);
    this.#runs.add(run);
    return run;
  }

  /**
   * Begins the record of an outermost run, if runs of the task are kept; call it before {@link GuardContext.openRun}. What it
   * returns keeps how the run ended.
   *
   * @throws {@link RepeatedFailureError} when the latest runs of the task all ended in the same failure.
   */
  async beginRecord(): Promise<(end: RunEnd) => Promise<void>> {
    return this.#history === undefined || this.isWrapUp ? async () => {} : this.#history.begin();
  }

  /** Whether the current work only wraps up what was done. */
  get isWrapUp(): boolean {
    return this.scope?.run.isWrapUp === true;
  }

  /**
   * Runs `work` that wraps up what was done: its model calls may use what the budget keeps back (`reserveUsd`), also after the
   * budget has stopped the run, and so may the turns that make them. All else is asked for as ever.
   */
  wrapUp<T>(work: () => T): T {
    const { run: loose, ...place } = this.looseScope('wrap-up');
    return this.within({ ...place, run: { ...loose, isWrapUp: true } }, work);
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

  /** Watches the run time of the current run. */
  watchTime(): void {
    const { run } = this.scope ?? {};
    if (run instanceof OutermostRun) run.watchTime();
  }

  /** Ends a run. Idempotent. */
  closeRun(run: OutermostRun): void {
    this.#runs.delete(run);
    run.end();
  }
}
