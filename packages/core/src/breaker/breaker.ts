import type { RunOptions, Step } from '../admission/run-step.ts';
import type { RaisedLimits } from '../budget/budget-options.ts';
import type { Cost, RunningTotal } from '../budget/cost.ts';
import type { Admission, AdmitOptions } from '../circuit/permit.ts';
import type { Trip } from '../circuit/trip.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import { readOptions } from '../common/option-table.ts';
import { idOf, textOf } from '../common/options.ts';
import type { BreakerEventMap, BreakerListener, Unsubscribe } from '../events/breaker-events.ts';
import { type Counters, total } from '../events/counters.ts';
import { TenantJudges } from '../judge/judges.ts';
import type { RequestInput } from '../signal/request.ts';
import type { SignalInput } from '../signal/signal.ts';
import { Tenant, type TenantNames } from '../signal/tenant.ts';
import { announce, type BreakerCore, createCore, restoreCore, snapshotOf } from './breaker-core.ts';
import { ADJUSTED_OPTIONS, type AdjustedLimits, type BreakerOptions } from './breaker-options.ts';
import type { BreakerSnapshot } from './breaker-snapshot.ts';
import { BY_HAND, type Conversation } from './conversation.ts';
import type { Shared } from './conversation-parts.ts';
import { MAIN } from './conversations.ts';
import type { BreakerInternals } from './internals.ts';
import { TenantConversations } from './tenant-conversations.ts';

/**
 * Watches what teams say and do, and opens the circuit of a conversation that runs in circles.
 *
 * Each {@link Conversation} has its own circuit: {@link Breaker.conversation} returns the main one, and others for further
 * teams and parallel runs. The members here concern all conversations, except {@link Breaker.observe},
 * {@link Breaker.admit}, {@link Breaker.run} and {@link Breaker.trackCost}, which act on the main one.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 2 });
 * breaker.observe({ kind: 'message', agent: 'writer', text: 'A first draft.' }); // => undefined
 * breaker.observe({ kind: 'message', agent: 'critic', text: 'Too long.' })?.kind; // => 'limit'
 * breaker.conversation().trip?.kind; // => 'limit'
 * ```
 */
export class Breaker {
  readonly #core: BreakerCore;
  readonly #tenant: Tenant;
  readonly #conversations: TenantConversations;
  /** @internal */
  readonly internals: BreakerInternals;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(options?: BreakerOptions);
  /** The part of a breaker that belongs to a tenant. @internal */
  constructor(options: BreakerOptions, tenant: Tenant, whole: BreakerCore);
  constructor(options: BreakerOptions = {}, tenant = Tenant.everybody, whole?: BreakerCore) {
    const shown = (error: unknown): string => this.internals.disclosure.error(error).text;
    const core = whole ?? createCore(options, shown);
    const { shared, conversations } = core;
    const { events, pricing } = shared;
    this.#core = core;
    this.#tenant = tenant;
    this.#conversations = new TenantConversations(conversations, tenant);
    this.internals = {
      timers: shared.options.timers,
      wrapUp: shared.settings.wrapUp,
      judges: new TenantJudges(shared.judges, tenant),
      conversations: this.#conversations,
      whole: core,
      prefix: tenant.prefix,
      pricing,
      answers: shared.spend.answers,
      streamLimit: shared.settings.streamLimit,
      disclosure: conversations.main.parts.disclosure,
      booksOf: ({ parts }) => parts.spend.books,
      isToldOfLoop: ({ parts }) => parts.reactions.isToldOfLoop,
      restore: (conversation, snapshot) => conversations.restore(conversation, snapshot),
      isLimited: () => shared.spend.budget.isLimited,
      reserved: () => shared.spend.reservedFor(tenant),
      reportError: (error, during) => {
        events.emit('error', { error, during, conversation: tenant.prefix }, tenant);
      },
    };
    if (whole === undefined)
      announce(this, (error) => this.internals.reportError(error, 'recording'));
  }

  /**
   * The part of this breaker that belongs to a user, a team, an API key, or several of these. It is a breaker itself, for whatever takes one: guards,
   * `guardFetch()`, or steps of your own. The same one is returned as long as somebody holds it, and nothing is kept of one that is idle.
   *
   * - Its conversations never meet those of other tenants. Their ids begin with the tenant, such as `user:ann/chat 1`, also where this breaker tells
   *   of them.
   * - Its model calls name the tenant and are charged to it: to the purses `perUser`, `perTeam` and `perKey` of the budget.
   * - {@link Breaker.on}, {@link Breaker.stop}, {@link Breaker.reset}, {@link Breaker.stopped} and {@link Breaker.cost} concern the tenant alone, with
   *   all that is done under further names: a stop of the user `ann` holds for her in each team.
   *
   * Options, limits and snapshots are those of the whole breaker.
   *
   * @example
   * ```ts
   * const breaker = new Breaker({ maxMessages: 1, budget: { perUser: { maxUsd: 1 } } });
   * const ann = breaker.for({ user: 'ann', team: 'research' });
   * ann.observe({ kind: 'message', agent: 'writer', text: 'A first draft.' })?.kind; // => 'limit'
   * breaker.for({ user: 'bob' }).stopped; // => []
   * breaker.stopped.map(({ id }) => id); // => ['user:ann team:research/']
   * ```
   * @throws {@link InvalidOptionError} without any name, or with one that is empty.
   */
  for(names: TenantNames): Breaker {
    const core = this.#core;
    const tenant = this.#tenant.named(names);
    return core.views.get(tenant.prefix, () => new Breaker(core.shared.options, tenant, core));
  }

  /**
   * The conversation with this id, created on first use; by default the main one. Conversations share nothing but their
   * budget. Beside those that {@link Breaker.run} or its like has steps of under way, at most 1,000 are kept: beyond that, the
   * least recently used one with a closed circuit is forgotten. If all circuits are open, the least recently used one is, but
   * not its circuit; 10,000 such circuits are kept. With `scope: 'breaker'`, every id is the main one.
   *
   * @example
   * ```ts
   * const breaker = new Breaker({ maxMessages: 1 });
   * const [chat, other] = [breaker.conversation('chat 1'), breaker.conversation('chat 2')];
   * chat.observe({ kind: 'message', agent: 'writer', text: 'A first draft.' })?.kind; // => 'limit'
   * other.state.status; // => 'closed'
   * breaker.stopped.map(({ id }) => id); // => ['chat 1']
   * ```
   * @throws {@link InvalidOptionError} if the id is longer than 1,000 characters.
   */
  conversation(id: string = MAIN): Conversation {
    const { prefix } = Tenant.of(textOf('id', id));
    idOf('id', id.slice(prefix.length));
    return this.#conversations.get(id);
  }

  /** The kept conversations whose circuit is not closed, the main one first; `trip` says why. */
  get stopped(): readonly Conversation[] {
    return this.#conversations.all.filter(({ trip }) => trip !== undefined);
  }

  /** The reported spend of all conversations. Of the tenants, those 10,000 are known that spent last. */
  get cost(): Cost {
    return this.#shared.spend.spentBy(this.#tenant.prefix).total;
  }

  /**
   * What happened in all conversations so far; money and tokens are in {@link Breaker.cost}. Of a tenant, what happened in those that are kept.
   */
  get counters(): Counters {
    if (this.#tenant === Tenant.everybody) return this.#shared.tally.counters;
    return total(this.#conversations.all.map(({ counters }) => counters));
  }

  /** How many questions the judge was asked in the conversations that are kept, and the cost of all its answers. */
  get judged(): { readonly questions: number; readonly cost: Cost } {
    const { all } = this.#conversations;
    const questions = all.reduce((sum, conversation) => sum + conversation.questions, 0);
    return { questions, cost: this.#shared.spend.spentBy(this.#tenant.prefix).judge };
  }

  /** The time on the breaker's clock, in milliseconds. */
  now(): number {
    return this.#core.conversations.main.now();
  }

  /** {@link Conversation.observe} of the main conversation. */
  observe(signal: SignalInput): Trip | undefined {
    return this.#main.observe(signal);
  }

  /** {@link Conversation.admit} of the main conversation. */
  admit(request: RequestInput, options: AdmitOptions = {}): MaybePromise<Admission> {
    return this.#main.admit(request, options);
  }

  /**
   * {@link Conversation.run} of the main conversation.
   * @example
   * ```ts
   * const breaker = new Breaker({ maxToolCalls: 2 });
   * const call = { kind: 'tool-call', agent: 'clerk', tool: 'add', args: [1, 2] } as const;
   * await breaker.run(call, () => 3); // => 3
   * await breaker.run(call, () => 4); // => 4
   * await breaker.run(call, () => 5, { fallback: () => 0 }); // => 0
   * ```
   */
  run<T>(
    request: RequestInput,
    work: (step: Step) => MaybePromise<T>,
    options: RunOptions<T> = {},
  ): Promise<T> {
    return this.#main.run(request, work, options);
  }

  /** {@link Conversation.trackCost} of the main conversation. */
  trackCost(usd: number | RunningTotal, agent = ''): MaybePromise<Trip | undefined> {
    return this.#main.trackCost(usd, agent);
  }

  /**
   * Changes limits of the budget, in the shape of the option `budget`. Conversations that the budget stopped continue, unless
   * they were stopped by hand since.
   *
   * @throws {@link InvalidOptionError} naming the limit, the expected and the received value.
   * @example
   * ```ts
   * const breaker = new Breaker({ budget: { maxUsd: 1 } });
   * breaker.trackCost(2);
   * breaker.conversation().trip?.kind; // => 'budget'
   * breaker.raise({ maxUsd: 3 });
   * breaker.stopped; // => []
   * ```
   */
  raise(limits: RaisedLimits): void {
    this.#shared.spend.budget.raise(limits);
    this.#core.conversations.resume();
  }

  /**
   * Changes limits while the breaker runs: those of the budget, as {@link Breaker.raise} does, and those of the throttle, up or down, of all or of some by
   * name. What is not named stays. They count from the next admission on, and for calls that wait; nothing that is under way is stopped.
   *
   * @throws {@link InvalidOptionError} naming the limit, the expected and the received value; nothing has changed then.
   * @example
   * ```ts
   * const breaker = new Breaker({ budget: { perUser: { perDay: { maxUsd: 1 } } }, throttle: { maxRpm: 600 } });
   * breaker.adjust({
   *   budget: { users: { ann: { perDay: { maxUsd: 5 } } } },
   *   throttle: { maxRpm: 300, users: { bob: { maxConcurrent: 1 } } },
   * });
   * ```
   */
  adjust(limits: AdjustedLimits): void {
    readOptions<AdjustedLimits, keyof AdjustedLimits>('', limits, ADJUSTED_OPTIONS);
    // What was read has defaults in place of what is to stay.
    const { budget, throttle } = limits;
    if (throttle !== undefined) this.#shared.throttle.change(throttle);
    if (budget !== undefined) this.raise(budget);
  }

  /**
   * Stops everything by hand until {@link Breaker.reset}: all conversations, and those that begin later. Returns the trip of the
   * main one.
   */
  stop(reason: string = BY_HAND): Trip {
    return this.#conversations.stop(textOf('reason', reason));
  }

  /** Closes the circuits and forgets what was said in all conversations. Spend is kept. */
  reset(): void {
    this.#conversations.reset();
  }

  /** Listens to one kind of event in all conversations. A listener that throws is emitted as `error`. */
  on<K extends keyof BreakerEventMap>(event: K, listener: BreakerListener<K>): Unsubscribe {
    return this.#shared.events.on(event, listener, this.#tenant);
  }

  /** The state as plain JSON. Of spend in a custom store, it holds only what the store failed to book. */
  snapshot(): BreakerSnapshot {
    return snapshotOf(this.#core);
  }

  /**
   * Restores a {@link Breaker.snapshot} of a breaker with the same detectors or fewer. If that fails, nothing is changed.
   * @throws {@link InvalidSnapshotError} naming the wrong field.
   */
  restore(snapshot: unknown): void {
    restoreCore(this.#core, snapshot);
  }

  get #main(): Conversation {
    return this.#conversations.main;
  }

  get #shared(): Shared {
    return this.#core.shared;
  }
}
