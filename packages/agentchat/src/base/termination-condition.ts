import type { ChatItem } from '../messages/chat-item.ts';
import { StopMessage } from '../messages/stop-message.ts';
import { RuntimeError, TerminatedException } from './errors.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** Decides when a conversation ends. Anything of this shape can be used as a condition and be combined. */
export interface Termination {
  /** Whether the condition has stopped the conversation and was not reset since. */
  readonly terminated: boolean;
  /** Judges what is new since the last call; gives a message with the reason to stop, or `null` to go on. */
  call(messages: readonly ChatItem[]): MaybePromise<StopMessage | null>;
  /** Back to the initial state. Teams do so after every orderly stop. */
  reset(): MaybePromise<void>;
}

/**
 * Base of conditions, the built-in ones and one's own.
 *
 * @example
 * ```ts
 * class QuestionTermination extends TerminationCondition {
 *   #terminated = false;
 *
 *   get terminated(): boolean {
 *     return this.#terminated;
 *   }
 *
 *   call(messages: readonly ChatItem[]): StopMessage | null {
 *     if (this.#terminated) throw new TerminatedException();
 *     this.#terminated = messages.some((message) => message.toText().endsWith('?'));
 *     return this.#terminated ? new StopMessage({ content: 'Asked', source: 'QuestionTermination' }) : null;
 *   }
 *
 *   reset(): void {
 *     this.#terminated = false;
 *   }
 * }
 * ```
 */
export abstract class TerminationCondition implements Termination {
  abstract readonly terminated: boolean;
  abstract call(messages: readonly ChatItem[]): MaybePromise<StopMessage | null>;
  abstract reset(): MaybePromise<void>;

  /** A condition that stops as soon as this one or `other` does. */
  or(other: Termination): OrTerminationCondition {
    return new OrTerminationCondition(this, other);
  }

  /** A condition that stops once this one and `other` have both been met, at the same time or not. */
  and(other: Termination): AndTerminationCondition {
    return new AndTerminationCondition(this, other);
  }
}

/** Stops once all its conditions have been met; those that have are not asked again. */
export class AndTerminationCondition extends TerminationCondition {
  readonly conditions: readonly Termination[];
  #stops: StopMessage[] = [];

  constructor(...conditions: Termination[]) {
    super();
    this.conditions = conditions;
  }

  get terminated(): boolean {
    return this.conditions.every((condition) => condition.terminated);
  }

  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    if (this.terminated) {
      throw new TerminatedException('Termination condition has already been reached.');
    }
    const open = this.conditions.filter((condition) => !condition.terminated);
    const verdicts = await callAll(open, messages);
    const stops = verdicts.filter((verdict) => verdict !== null);
    this.#stops.push(...stops);
    return stops.length < verdicts.length ? null : merge(this.#stops);
  }

  async reset(): Promise<void> {
    for (const condition of this.conditions) await condition.reset();
    this.#stops = [];
  }
}

/** Stops as soon as one of its conditions is met; all of them judge everything. */
export class OrTerminationCondition extends TerminationCondition {
  readonly conditions: readonly Termination[];

  constructor(...conditions: Termination[]) {
    super();
    this.conditions = conditions;
  }

  get terminated(): boolean {
    return this.conditions.some((condition) => condition.terminated);
  }

  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    // Upstream reports this one misuse as an ordinary error, and callers can tell.
    if (this.terminated) throw new RuntimeError('Termination condition has already been reached');
    const verdicts = await callAll(this.conditions, messages);
    const stops = verdicts.filter((verdict) => verdict !== null);
    return stops.length === 0 ? null : merge(stops);
  }

  async reset(): Promise<void> {
    for (const condition of this.conditions) await condition.reset();
  }
}

/** Lets every condition judge, also when one throws: siblings must not miss messages. */
async function callAll(
  conditions: readonly Termination[],
  messages: readonly ChatItem[],
): Promise<(StopMessage | null)[]> {
  const settled = await Promise.allSettled(
    conditions.map(async (condition) => condition.call(messages)),
  );
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

function merge(stops: readonly StopMessage[]): StopMessage {
  return new StopMessage({
    content: stops.map(({ content }) => content).join(', '),
    source: stops.map(({ source }) => source).join(', '),
  });
}
