import type { Breaker, Conversation, Trip } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { type HistoryOptions, type RunEnd, RunHistory } from '@teamfuse/stores/history';
import { ConversationPool } from './conversation-pool.ts';
import { withEarlierTrip } from './earlier-trip.ts';
import type { ForWhom, RunTenant } from './for-whom.ts';
import type { CheckedOptions } from './guard-options.ts';
import { Nudges } from './nudges.ts';
import { type OpenRunOptions, OutermostRun } from './run.ts';
import { runFor } from './run-for.ts';
import type { Scope } from './scope.ts';
import { SharedState } from './shared-state.ts';

/** A history takes no longer names of tasks. */
const MAX_TASK = 1000;

const NEVER: AbortSignal = new AbortController().signal;

/** The runs that one guard watches, and the current place inside them. */
export class RunContext<L = unknown> {
  readonly breaker: Breaker;
  readonly shared: SharedState;
  readonly nudges: Nudges;
  readonly #runs: Set<OutermostRun> = new Set();
  readonly #apart: WeakMap<OutermostRun, ConversationPool> = new WeakMap();
  readonly #ofTenant: WeakMap<RunTenant, ConversationPool> = new WeakMap();
  readonly #history: HistoryOptions | undefined;
  readonly #name: string | undefined;
  #conversations: ConversationPool | undefined;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(
    breaker: Breaker,
    { nudge, history, conversation }: Pick<CheckedOptions, 'nudge' | 'history' | 'conversation'>,
  ) {
    this.breaker = breaker;
    this.shared = SharedState.of(breaker);
    this.nudges = new Nudges(nudge);
    this.#name = conversation;
    if (conversation !== undefined) {
      this.#conversations = this.shared.conversations.named(conversation);
    }
    if (history !== undefined) new RunHistory(breaker, history);
    this.#history = history;
  }

  /** The current place inside a run; `undefined` outside of all. */
  get scope(): Scope<L> | undefined {
    return this.shared.scope as Scope<L> | undefined;
  }

  /** The conversations of the team, or those for whom runs begin here. No other team on the breaker has them. */
  get conversations(): ConversationPool {
    const { tenant } = this.shared;
    if (tenant !== undefined) return this.#conversationsOf(tenant);
    this.#conversations ??= this.shared.conversations.create();
    return this.#conversations;
  }

  /** The id of the conversation that runs continue here, where one is named. */
  get conversationName(): string | undefined {
    return this.shared.tenant?.conversation ?? this.#name;
  }

  /** {@link runFor} with the breaker of the guard. */
  runFor<T>(whom: ForWhom, work: () => T): T {
    return runFor(this.breaker, whom, work);
  }

  /** Identifies the team: a team that was guarded before continues its conversations, unless the options name others. */
  settle(members: ReadonlySet<object>): void {
    if (this.#name !== undefined) return;
    const { conversations } = this.shared;
    this.#conversations ??= conversations.of(members);
    conversations.remember(members, this.#conversations);
  }

  /** Forgets unnamed conversations that are not stopped: no run continues them. */
  protected forgetTeam(): void {
    if (this.#conversations === undefined || this.#name !== undefined) return;
    this.shared.conversations.forget(this.#conversations);
  }

  /** The conversation of the current run; the first of the team outside of all. */
  get conversation(): Conversation {
    return this.scope?.run.conversation ?? this.conversations.first;
  }

  /** Why a run was stopped or is refused; `undefined` while the team may continue. Runs for others do not count. */
  get trip(): Trip | undefined {
    const { tenant } = this.shared;
    for (const run of this.#runs) {
      if (run.trip !== undefined && run.tenant === tenant) return run.trip;
    }
    return this.conversations.trip;
  }

  /** A trip for the reader of the current run's result: one from an earlier run says so. */
  tripForReader(trip: Trip): Trip {
    const { run } = this.scope ?? {};
    return run === undefined ? trip : withEarlierTrip(run, trip);
  }

  /** Runs `work` at a place. */
  within<A extends readonly unknown[], T>(
    scope: Scope<L> | undefined,
    work: (...args: A) => T,
    ...args: A
  ): T {
    return scope === undefined ? work(...args) : this.shared.enter(scope, work, ...args);
  }

  /** Opens an outermost run. {@link GuardContext.closeRun} ends it. */
  openRun(options: OpenRunOptions = {}): OutermostRun {
    const { restartsLimits = true, dropsNudges = true, isApart = false } = options;
    const { tenant } = this.shared;
    const { breaker = this.breaker } = tenant ?? {};
    const { timers, conversations } = internalsOf(breaker);
    const { conversation } = options;
    const named = conversation && SharedState.of(breaker).conversations.named(conversation);
    const earlier = options.continues && this.shared.conversations.find(options.continues);
    const own = isApart
      ? earlier?.breaker === breaker
        ? earlier
        : new ConversationPool(breaker, conversations.newId())
      : undefined;
    const pool = own ?? (named || this.conversations);
    const run = new OutermostRun(pool, timers, { ...options, tenant });
    if (own !== undefined) this.#apart.set(run, own);
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
    if (this.#history === undefined || this.isWrapUp) return async () => {};
    const { breaker = this.breaker } = this.shared.tenant ?? {};
    // What fails for one user may go well for another.
    const whose = this.shared.tenant === undefined ? '' : internalsOf(breaker).prefix;
    const task = (whose + this.#history.task).slice(0, MAX_TASK);
    return new RunHistory(breaker, { ...this.#history, task }).begin();
  }

  /** Whether the current work only wraps up what was done. */
  get isWrapUp(): boolean {
    return this.scope?.run.isWrapUp === true;
  }

  /**
   * Runs `work` that wraps up, such as a last summary: its turns and model calls may use the reserve of the budget (`reserveUsd`),
   * even after the budget has stopped the run. All other steps are admitted as usual.
   */
  wrapUp<T>(work: () => T): T {
    const { run: loose, ...place } = this.looseScope('wrap-up');
    return this.within({ ...place, run: { ...loose, isWrapUp: true } }, work);
  }

  /** The place of an agent that is asked outside of any run. */
  looseScope(name: string): Scope<L> {
    const { conversation } = this;
    const { tenant } = this.shared;
    return {
      run: { conversation, trip: undefined, isRefused: false, signal: NEVER, tenant },
      depth: 0,
      path: [name],
    };
  }

  /** Whether the guard tests itself here: then none of the team's code may run. */
  get isRehearsal(): boolean {
    return this.scope?.run.isRehearsal === true;
  }

  /** Watches the run time of the current run. */
  watchTime(): void {
    const { run } = this.scope ?? {};
    if (run instanceof OutermostRun) run.watchTime();
  }

  /** Keeps the conversation of the current run, if it has one of its own, for a run that goes on from `state`. Call it before the run ends. */
  keepFor(state: object): void {
    const { run } = this.scope ?? {};
    const own = run instanceof OutermostRun ? this.#apart.get(run) : undefined;
    if (own === undefined) return;
    this.#apart.delete(run as OutermostRun);
    this.shared.conversations.keep(state, own);
  }

  /** Ends a run. Idempotent. */
  closeRun(run: OutermostRun): void {
    this.#runs.delete(run);
    run.end();
    const own = this.#apart.get(run);
    if (own !== undefined) this.shared.conversations.forget(own);
  }

  #conversationsOf(tenant: RunTenant): ConversationPool {
    const known = this.#ofTenant.get(tenant);
    if (known !== undefined) return known;
    const { breaker, conversation = this.#name } = tenant;
    const pool =
      conversation === undefined
        ? this.shared.conversations.createFor(breaker)
        : SharedState.of(breaker).conversations.named(conversation);
    this.#ofTenant.set(tenant, pool);
    return pool;
  }
}
