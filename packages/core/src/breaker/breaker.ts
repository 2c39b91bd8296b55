import type { Admission, AdmitOptions } from '../admission.ts';
import type { RaisedLimits } from '../budget/budget-options.ts';
import { SharedSpend } from '../budget/shared-spend.ts';
import { factorOf } from '../detectors/default-detectors.ts';
import { BreakerError, InvalidOptionError, InvalidSnapshotError } from '../errors.ts';
import { Judges } from '../judge/judges.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { checkNames, functionOf, idOf, textOf } from '../options.ts';
import { Pricing } from '../pricing.ts';
import type { RequestInput } from '../signal/request.ts';
import type { SignalInput } from '../signal/signal.ts';
import type { Cost, Trip } from '../trip.ts';
import { BREAKER_OPTIONS, type BreakerOptions } from './breaker-options.ts';
import { type BreakerSnapshot, checkSnapshot, SNAPSHOT_VERSION } from './breaker-snapshot.ts';
import { BY_HAND, type Conversation } from './conversation.ts';
import type { Shared } from './conversation-parts.ts';
import { Conversations, MAIN, readKnown } from './conversations.ts';
import { type Counters, Tally } from './counters.ts';
import { announce } from './events/announce.ts';
import {
  type BreakerEventMap,
  BreakerEvents,
  type BreakerListener,
  type Unsubscribe,
} from './events/breaker-events.ts';
import { UntoldErrors } from './events/untold-errors.ts';
import type { BreakerInternals } from './internals.ts';
import type { RunOptions, Step } from './steps/run-step.ts';

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
  readonly #shared: Shared;
  readonly #conversations: Conversations;
  /** @internal */
  readonly internals: BreakerInternals;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(options: BreakerOptions = {}) {
    checkNames('', options, BREAKER_OPTIONS);
    const { scope = 'conversation' } = options;
    if (scope !== 'conversation' && scope !== 'breaker') {
      throw new InvalidOptionError('scope', "'conversation' or 'breaker'", scope);
    }
    if (options.now !== undefined) functionOf('now', options.now);
    const events = new BreakerEvents(
      new UntoldErrors((error) => this.internals.disclosure.error(error).text),
    );
    const reportError: BreakerInternals['reportError'] = (error, during) =>
      events.emit('error', { error, during, conversation: MAIN });
    this.#shared = {
      options,
      events,
      spend: new SharedSpend(options.budget, options.now, options.timers),
      tally: new Tally(),
      pricing: new Pricing(options, (error) => reportError(error, 'prices')),
      judges: new Judges(options.judge, {
        factor: factorOf(options.sensitivity ?? 'normal'),
        hasExcerpts: options.excerpts !== false,
        asking: () => this.#conversations.all.map(({ judge }) => judge),
      }),
    };
    this.#conversations = new Conversations(this.#shared, scope === 'breaker');
    const { timers } = options;
    const { judges, pricing } = this.#shared;
    const conversations = this.#conversations;
    const { disclosure } = conversations.main;
    const booksOf: BreakerInternals['booksOf'] = ({ books }) => books;
    this.internals = { timers, judges, conversations, pricing, disclosure, booksOf, reportError };
    announce(this, (error) => reportError(error, 'recording'));
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
    return this.#conversations.get(idOf('id', id));
  }

  /** The kept conversations whose circuit is not closed, the main one first; `trip` says why. */
  get stopped(): readonly Conversation[] {
    return this.#conversations.all.filter(({ trip }) => trip !== undefined);
  }

  /** The reported spend of all conversations. */
  get cost(): Cost {
    return this.#shared.spend.total;
  }

  /** What happened in all conversations so far; money and tokens are in {@link Breaker.cost}. */
  get counters(): Counters {
    return this.#shared.tally.counters;
  }

  /** How many questions the judge was asked in the conversations that are kept, and the cost of all its answers. */
  get judged(): { readonly questions: number; readonly cost: Cost } {
    const { all } = this.#conversations;
    const questions = all.reduce((sum, conversation) => sum + conversation.questions, 0);
    return { questions, cost: this.#shared.spend.judgeCost };
  }

  /** The time on the breaker's clock, in milliseconds. */
  now(): number {
    return this.#main.now();
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
  trackCost(usd: number, agent = ''): MaybePromise<Trip | undefined> {
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
    this.#conversations.resume();
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
    return this.#shared.events.on(event, listener);
  }

  /** The state as plain JSON. Of spend in a custom store, it holds only what the store failed to book. */
  snapshot(): BreakerSnapshot {
    return {
      version: SNAPSHOT_VERSION,
      spend: this.#shared.spend.snapshot(),
      conversations: Object.fromEntries(
        this.#conversations.kept.map((one) => [one.id, one.snapshot()]),
      ),
      counters: this.#shared.tally.snapshot(),
      ...this.#conversations.snapshot(),
    };
  }

  /**
   * Restores a {@link Breaker.snapshot} of a breaker with the same detectors. If that fails, nothing is changed.
   * @throws {@link InvalidSnapshotError} naming the wrong field.
   */
  restore(snapshot: unknown): void {
    try {
      this.#restore(snapshot);
    } catch (error) {
      if (error instanceof BreakerError) throw error;
      throw new InvalidSnapshotError('', 'readable data', snapshot);
    }
  }

  #restore(snapshot: unknown): void {
    const { spend, conversations, counters, ...beside } = checkSnapshot(snapshot);
    const { [MAIN]: main, ...others } = conversations;
    new Tally().restore('counters', counters);
    const known = readKnown(beside);
    const restored = Object.entries(others).map(([id, state]) => {
      const conversation = this.#conversations.create(id);
      conversation.restore(state);
      return conversation;
    });
    const before = this.#shared.spend.snapshot();
    this.#shared.spend.restore(spend);
    try {
      this.#main.restore(main);
    } catch (error) {
      this.#shared.spend.restore(before);
      throw error;
    }
    this.#conversations.know(known);
    this.#shared.tally.restore('counters', counters);
    this.#conversations.replaceOthers(restored);
  }

  get #main(): Conversation {
    return this.#conversations.main;
  }
}
