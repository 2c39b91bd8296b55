import { z } from 'zod';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type Component,
  type ComponentModel,
  componentJson,
  componentModel,
} from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { NotImplementedError, RuntimeError, TerminatedException, ValueError } from './errors.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { checkTermination, NO_OPERATORS, type Termination } from './termination.ts';
import { validate } from './validate.ts';

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
export abstract class TerminationCondition implements Termination, Component {
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

  /**
   * Refuses `a | b` and `a & b`, which would be the number 0.
   *
   * @throws {@link ValueError} that says what to write instead.
   */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.constructor.name;
    throw new ValueError(NO_OPERATORS);
  }

  /**
   * The condition as plain JSON, without what it has counted so far.
   *
   * @throws {@link NotImplementedError} unless the class overrides it.
   */
  dumpComponent(): ComponentModel {
    throw new NotImplementedError('This component does not support dumping to config');
  }
}

const MODULE = 'autogen_agentchat.base';
const compositeConfig = z.object({ conditions: z.array(componentJson) });

/** Stops once all its conditions have been met; those that have are not asked again. */
export class AndTerminationCondition extends TerminationCondition {
  static readonly component: ComponentClass<AndTerminationCondition> = compositeClass(
    'AndTerminationCondition',
    (conditions) => new AndTerminationCondition(...conditions),
  );
  readonly conditions: readonly Termination[];
  #stops: StopMessage[] = [];

  constructor(...conditions: readonly Termination[]) {
    super();
    this.conditions = checkAll('AndTerminationCondition', conditions);
  }

  get terminated(): boolean {
    return this.conditions.every((condition) => condition.terminated);
  }

  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    if (this.terminated) {
      throw new TerminatedException('Termination condition has already been reached.');
    }
    const open = this.conditions.filter((condition) => !condition.terminated);
    const stops = await callAll(open, messages);
    this.#stops.push(...stops);
    return stops.length < open.length ? null : merged(this.#stops);
  }

  async reset(): Promise<void> {
    for (const condition of this.conditions) await condition.reset();
    this.#stops = [];
  }

  override dumpComponent(): ComponentModel {
    return dumpComposite('AndTerminationCondition', this.conditions);
  }
}

/** Stops as soon as one of its conditions is met; all of them judge everything. */
export class OrTerminationCondition extends TerminationCondition {
  static readonly component: ComponentClass<OrTerminationCondition> = compositeClass(
    'OrTerminationCondition',
    (conditions) => new OrTerminationCondition(...conditions),
  );
  readonly conditions: readonly Termination[];

  constructor(...conditions: readonly Termination[]) {
    super();
    this.conditions = checkAll('OrTerminationCondition', conditions);
  }

  get terminated(): boolean {
    return this.conditions.some((condition) => condition.terminated);
  }

  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    // Upstream throws an ordinary error for this misuse, and callers can see the difference.
    if (this.terminated) throw new RuntimeError('Termination condition has already been reached');
    const stops = await callAll(this.conditions, messages);
    return stops.length === 0 ? null : merged(stops);
  }

  async reset(): Promise<void> {
    for (const condition of this.conditions) await condition.reset();
  }

  override dumpComponent(): ComponentModel {
    return dumpComposite('OrTerminationCondition', this.conditions);
  }
}

/**
 * The stops of those conditions that gave one.
 *
 * Every condition judges even when one throws, so that its siblings miss no messages.
 */
async function callAll(
  conditions: readonly Termination[],
  messages: readonly ChatItem[],
): Promise<readonly StopMessage[]> {
  const outcomes = await Promise.allSettled(
    conditions.map(async (condition) => condition.call(messages)),
  );
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    // A function that returns nothing does not stop the run.
    return outcome.value ?? [];
  });
}

function merged(stops: readonly StopMessage[]): StopMessage {
  return new StopMessage({
    content: stops.map(({ content }) => content).join(', '),
    source: stops.map(({ source }) => source).join(', '),
  });
}

function checkAll(label: string, conditions: readonly Termination[]): readonly Termination[] {
  return conditions.map((condition, index) =>
    checkTermination(`${label}: condition ${index + 1}`, condition),
  );
}

function compositeClass<T>(
  label: string,
  make: (conditions: readonly Termination[]) => T,
): ComponentClass<T> {
  return {
    provider: `${MODULE}.${label}`,
    aliases: [`${MODULE}._termination.${label}`],
    load(config, loader) {
      const { conditions } = validate(compositeConfig, config, `${label}Config`);
      return make(conditions.map((model) => loader.load(model, TerminationCondition)));
    },
  };
}

function dumpComposite(label: string, conditions: readonly Termination[]): ComponentModel {
  const identity = { provider: `${MODULE}.${label}`, componentType: 'termination' };
  return componentModel(identity, { conditions: conditions.map(dumpOf) });
}
