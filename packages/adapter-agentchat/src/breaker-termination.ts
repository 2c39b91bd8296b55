import { checkBreaker, type GuardOptions, isAnswerDue } from '@teamfuse/adapter-kit';
import {
  type ChatItem,
  StopMessage,
  TerminatedException,
  TerminationCondition,
} from '@teamfuse/agentchat';
import type { Breaker, Conversation, Trip } from '@teamfuse/core';
import { loneContext, type TeamContext } from './guard/team-context.ts';
import { isSaid } from './signals/item-kinds.ts';
import { SeenItems } from './signals/seen-items.ts';

/** Options of {@link BreakerTermination}. */
export type BreakerTerminationOptions = Pick<
  GuardOptions,
  'models' | 'prices' | 'onError' | 'isTaskFromPerson' | 'conversation'
>;

/**
 * Stops the team when a breaker opens; the stop reason is the trip's.
 *
 * The breaker observes what the team says. Steps that a condition cannot see need `guardTeam`; both may use the same breaker.
 * Resetting the condition restarts the breaker's declared limits; budgets and the circuit stay as they are.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 2 });
 * const team = new RoundRobinGroupChat([writer, critic], {
 *   terminationCondition: new BreakerTermination(breaker).or(new TextMentionTermination('APPROVE')),
 * });
 * const { messages, stopReason } = await team.run({ task: 'Write a poem' });
 * messages.length; // => 3
 * stopReason === breaker.conversation().trip?.reason; // => true
 * ```
 */
export class BreakerTermination extends TerminationCondition {
  /** The class name, by which stop messages name the condition. */
  readonly label: string = 'BreakerTermination';
  readonly breaker: Breaker;
  readonly #context: TeamContext;
  #terminated = false;
  #isFirstCall = true;
  /** Whether the declared limits start afresh with the next call. */
  #isReset = false;
  /** The trip that kept the circuit open when the run began. */
  #tripBefore: Trip | undefined;

  /** @throws {@link GuardInstallError} when `breaker` is none. */
  constructor(breaker: Breaker, options: BreakerTerminationOptions = {}) {
    super();
    this.breaker = checkBreaker('BreakerTermination', breaker);
    this.#context = loneContext(breaker, options);
  }

  get terminated(): boolean {
    return this.#terminated;
  }

  /** @throws TerminatedException after a stop, until it is reset; nothing else is ever thrown. */
  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    // Observe before the first await: a condition that is used twice must not run twice at a time.
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
    const { scope, conversation, conversations } = this.#context;
    if (scope !== undefined || !conversations.isIdle) return;
    // A team resets its conditions when it stops, and the trip has to be seen until the team goes on.
    if (conversation.trip === undefined) conversation.beginRun();
    else this.#isReset = true;
  }

  /**
   * Reports the messages, and returns the function that gives the reason to stop: a judge may be asked in between. Even if
   * observing fails, an open breaker stops the team.
   */
  #hear(messages: readonly ChatItem[]): () => string | undefined {
    const conversation = this.#conversation;
    const { scope } = this.#context;
    if (this.#isReset) conversation.beginRun();
    this.#isReset = false;
    const isNews = !SeenItems.of(conversation).knows(messages);
    const isTask = this.#isFirstCall && messages.every(isTaskLike);
    if (this.#isFirstCall) this.#tripBefore = isNews ? conversation.trip : undefined;
    this.#isFirstCall = false;
    const mayProbe = isNews && this.#isDue();
    if (mayProbe && !isTask) return this.#hearProbe(messages);
    this.#context.items(messages, undefined, isTask);
    return () => {
      // A guard lets the team write up what is there, and ends the run then.
      if (isAnswerDue(this.#context)) return undefined;
      if (scope?.run.trip !== undefined) return scope.run.trip.reason;
      const isInProbe = scope?.permit?.isProbe === true;
      return mayProbe || isInProbe ? undefined : conversation.trip?.reason;
    };
  }

  /** The conversation of the guarded run around; without one, the one that the options name, or the main one. */
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

/** Whether an item may be part of a task: it is a message without model usage. */
function isTaskLike(item: ChatItem): boolean {
  return isSaid(item) && item.modelsUsage === null;
}
