import { typeText } from '@teamfuse/python-compat';
import { GroupChatError, invalidValue, SenderRequired } from '../errors.ts';
import { Agent, isAgent } from '../messages/agent.ts';

/** A class whose instances a trigger accepts as senders. */
export type AgentClass = abstract new (...args: never[]) => Agent;

/** A test of the sender; `null` when there is none. */
export type TriggerTest = (sender: Agent | null) => boolean;

/** An element of a trigger; `null` stands for "no sender" and is allowed inside a list only. */
export type TriggerElement = AgentClass | TriggerTest | Agent | string | null | TriggerElement[];

/** The senders for which a reply function is called. */
export type Trigger = Exclude<TriggerElement, null>;

/** The trigger that accepts every agent, and no sender too. */
export const anySender: Trigger = [Agent, null];

/** Rejects values that are no trigger, including a bare `null`. */
export function checkTrigger(trigger: unknown): asserts trigger is Trigger {
  if (typeof trigger === 'string' || typeof trigger === 'function') return;
  if (Array.isArray(trigger) || isAgent(trigger)) return;
  throw invalidValue('trigger must be a class, a string, an agent, a callable or a list.');
}

/** Whether a trigger accepts this sender. */
export function matchTrigger(trigger: TriggerElement, sender: Agent | null): boolean {
  if (trigger === null) return sender === null;
  if (typeof trigger === 'string') {
    if (sender === null) throw new SenderRequired();
    return trigger === sender.name;
  }
  if (isAgentClass(trigger)) return sender instanceof trigger;
  if (Array.isArray(trigger)) return trigger.some((element) => matchTrigger(element, sender));
  if (typeof trigger === 'function') return testSender(trigger, sender);
  if (isAgent(trigger)) return trigger === sender;
  throw invalidValue(`Unsupported trigger type: ${typeText(trigger)}`);
}

function testSender(test: TriggerTest, sender: Agent | null): boolean {
  const answer: unknown = test(sender);
  if (typeof answer === 'boolean') return answer;
  throw new GroupChatError(
    'INVALID_USE',
    `trigger ${test.name || '<function>'} must return a boolean value.`,
  );
}

// At run time only the read-only prototype distinguishes a class, which cannot be called, from a test.
function isAgentClass(value: unknown): value is AgentClass {
  if (typeof value !== 'function') return false;
  return Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false;
}
