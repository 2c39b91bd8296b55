import { checkBreaker, type GuardOptions } from '@teamfuse/adapter-kit';
import {
  type ChatItem,
  StopMessage,
  TerminatedException,
  TerminationCondition,
} from '@teamfuse/agentchat';
import type { Breaker, Conversation, Trip } from '@teamfuse/core';
import { TeamContext } from './guard/team-context.ts';
import { isSaid } from './signals/item-kinds.ts';
import { SeenItems } from './signals/seen-items.ts';

/** Options of {@link BreakerTermination}. */
export type BreakerTerminationOptions = Pick<
  GuardOptions,
  'models' | 'prices' | 'onError' | 'isTaskFromPerson'
>;

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
  readonly #context: TeamContext;
  #terminated = false;
  #isFirstCall = true;
  /** What kept the circuit open when the run began. */
  #tripBefore: Trip | undefined;

  /** @throws {@link GuardInstallError} when `breaker` is none. */
  constructor(breaker: Breaker, options: BreakerTerminationOptions = {}) {
    super();
    this.breaker = checkBreaker('BreakerTermination', breaker);
    this.#context = new TeamContext(breaker, options);
  }

  get terminated(): boolean {
    return this.#terminated;
  }

  /** @throws TerminatedException after a stop, until it is reset; nothing else is ever thrown. */
  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    // No await before what is said is told: a condition that takes part twice must not judge while it is judging.
    if (this.#terminated) throw new TerminatedException();
    const judge = this.#hear(messages);
    await this.#conversation.settled();
    if (this.#terminated) throw new TerminatedException();
    const reason = judge();
    if (reason === undefined) return null;
    this.#terminated = true;
    return new StopMessage({ content: reason, source: this.label });
  }

  async reset(): Promise<void> {
    this.#terminated = false;
    this.#isFirstCall = true;
    // A guard knows when a run begins; the end of an inner one is not the end of the run.
    if (this.#context.shared.conversations.isIdle) this.breaker.beginRun();
  }

  /**
   * Tells what was said, and gives back how to find out why to stop: somebody may have to be asked in between. Whatever
   * goes wrong with the watching, an open breaker stops the team.
   */
  #hear(messages: readonly ChatItem[]): () => string | undefined {
    const conversation = this.#conversation;
    const { scope } = this.#context;
    const isNews = !SeenItems.of(conversation).knows(messages);
    const isTask = this.#isFirstCall && messages.every(isTaskLike);
    if (this.#isFirstCall) this.#tripBefore = isNews ? conversation.trip : undefined;
    this.#isFirstCall = false;
    const mayProbe = isNews && this.#isDue();
    if (mayProbe && !isTask) return this.#hearProbe(messages);
    this.#context.items(messages, undefined, isTask);
    return () => {
      if (scope?.run.trip !== undefined) return scope.run.trip.reason;
      const isInProbe = scope?.permit?.isProbe === true;
      return mayProbe || isInProbe ? undefined : conversation.trip?.reason;
    };
  }

  /** The conversation of the guarded run around, or the breaker's main one. */
  get #conversation(): Conversation {
    return this.#context.conversation;
  }

  /** Whether the circuit was open before this run and has cooled down since. */
  #isDue(): boolean {
    const { state } = this.#conversation;
    return (
      state.status === 'open' &&
      state.trip === this.#tripBefore &&
      this.breaker.now() >= state.probeFrom
    );
  }

  /** The turn that has just ended was the probe, unless another one is under way. */
  #hearProbe(messages: readonly ChatItem[]): () => string | undefined {
    const conversation = this.#conversation;
    const agent = messages.at(-1)?.source ?? '';
    const admission = this.#context.attempt('observe', () =>
      conversation.admit({ kind: 'turn', agent, at: this.breaker.now() }),
    );
    this.#context.items(messages);
    // The admission comes at once: while the circuit is open no judge is asked.
    if (admission && 'permit' in admission) admission.permit.release();
    return () => conversation.trip?.reason;
  }
}

/** Whether an item may be part of a task: no model and no agent's inside is behind it. */
function isTaskLike(item: ChatItem): boolean {
  return isSaid(item) && item.modelsUsage === null;
}
