import {
  type ChatItem,
  StopMessage,
  TerminatedException,
  TerminationCondition,
} from '@teamfuse/agentchat';
import type { Breaker, Trip } from '@teamfuse/core';
import { checkBreaker } from './check-breaker.ts';
import { type ErrorHandler, Observer } from './observer.ts';
import { isSaid } from './signals/item-kinds.ts';
import { carefully, type ModelKnowledge } from './signals/usage-signal.ts';

/** Options of {@link BreakerTermination}: what messages do not say about model calls, and where errors go. */
export interface BreakerTerminationOptions extends ModelKnowledge {
  /**
   * Called when something cannot be observed; the team goes on.
   * @defaultValue shows a warning of the process
   */
  readonly onError?: ErrorHandler;
}

/**
 * Stops the team when a breaker opens; the stop reason is the trip's.
 *
 * What the team says is told to the breaker. What a condition cannot see needs `guardTeam`; both may watch for the same
 * breaker. Resetting the condition starts the breaker's declared limits afresh; budgets and the circuit live on.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 2 });
 * const team = new RoundRobinGroupChat([writer, critic], {
 *   terminationCondition: new BreakerTermination(breaker).or(new TextMentionTermination('APPROVE')),
 * });
 * const { messages, stopReason } = await team.run({ task: 'Write a poem' });
 * messages.length; // => 3
 * stopReason === breaker.trip?.reason; // => true
 * ```
 */
export class BreakerTermination extends TerminationCondition {
  /** The class name, by which stop messages name the condition. */
  readonly label: string = 'BreakerTermination';
  readonly breaker: Breaker;
  readonly #observer: Observer;
  readonly #knowledge: ModelKnowledge;
  #terminated = false;
  #isFirstCall = true;
  /** What kept the circuit open when the run began. */
  #tripBefore: Trip | undefined;

  /** @throws {@link GuardInstallError} when `breaker` is none. */
  constructor(breaker: Breaker, options: BreakerTerminationOptions = {}) {
    super();
    const { onError, ...knowledge } = options;
    this.breaker = checkBreaker('BreakerTermination', breaker);
    const observer = new Observer(breaker, onError);
    this.#observer = observer;
    this.#knowledge = carefully(knowledge, (error) => observer.report('observe', error));
  }

  get terminated(): boolean {
    return this.#terminated;
  }

  /** @throws TerminatedException after a stop, until it is reset; nothing else is ever thrown. */
  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    // No await before what is said is told: a condition that takes part twice must not judge while it is judging.
    if (this.#terminated) throw new TerminatedException();
    const judge = this.#hear(messages);
    const settled = this.breaker.settled();
    if (isPromise(settled)) {
      await settled;
      if (this.#terminated) throw new TerminatedException();
    }
    const reason = judge();
    if (reason === undefined) return null;
    this.#terminated = true;
    return new StopMessage({ content: reason, source: this.label });
  }

  async reset(): Promise<void> {
    this.#terminated = false;
    this.#isFirstCall = true;
    // A guard knows when a run begins; the end of an inner one is not the end of the run.
    if (this.#observer.ledger.guardedRuns === 0) this.breaker.beginRun();
  }

  /**
   * Tells what was said, and gives back how to find out why to stop: somebody may have to be asked in between. Whatever
   * goes wrong with the watching, an open breaker stops the team.
   */
  #hear(messages: readonly ChatItem[]): () => string | undefined {
    const { breaker } = this;
    const { ledger } = this.#observer;
    const isNews = !ledger.knows(messages);
    const isTask = this.#isFirstCall && messages.every(isTaskLike);
    if (this.#isFirstCall) this.#tripBefore = isNews ? breaker.trip : undefined;
    this.#isFirstCall = false;
    const mayProbe = isNews && this.#isDue();
    if (mayProbe && !isTask) return this.#hearProbe(messages);
    this.#observe(messages, isTask);
    const scope = ledger.scopes.getStore();
    return () => {
      if (scope?.run.trip !== undefined) return scope.run.trip.reason;
      const isInProbe = breaker.state.status === 'half-open' && scope?.permit?.isProbe === true;
      return mayProbe || isInProbe ? undefined : breaker.trip?.reason;
    };
  }

  /** Whether the circuit was open before this run and has cooled down since. */
  #isDue(): boolean {
    const { state } = this.breaker;
    return (
      state.status === 'open' &&
      state.trip === this.#tripBefore &&
      this.breaker.now() >= state.probeFrom
    );
  }

  /** The turn that has just been taken was the probe, unless there is another one under way. */
  #hearProbe(messages: readonly ChatItem[]): () => string | undefined {
    const { breaker } = this;
    const agent = messages.at(-1)?.source ?? '';
    const admission = this.#observer.attempt(() =>
      breaker.admit({ kind: 'turn', agent, at: breaker.now() }),
    );
    this.#observe(messages, false);
    // Leave is given or refused at once: as long as the circuit is open nobody is asked about a suspicion.
    if (admission && 'permit' in admission) admission.permit.release();
    return () => breaker.trip?.reason;
  }

  #observe(messages: readonly ChatItem[], isTask: boolean): void {
    this.#observer.items(messages, { ...this.#knowledge, isTask });
  }
}

/** Whether an item may be part of a task: no model and no agent's inside is behind it. */
function isTaskLike(item: ChatItem): boolean {
  return isSaid(item) && item.modelsUsage === null;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof Object(value).then === 'function';
}
