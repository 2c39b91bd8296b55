import { describe, expect, test } from 'vitest';
import {
  Agent,
  AssistantAgent,
  ConversableAgent,
  SenderRequired,
  type Trigger,
  UserProxyAgent,
} from '../../src/index.ts';
import { matchTrigger, type TriggerElement } from '../../src/replies/trigger.ts';
import { speaker, TestIO } from '../cast.ts';

const bob = speaker('Bob');
const user = new UserProxyAgent({ name: 'user', io: new TestIO() });
const foreign = {
  name: 'foreign',
  description: 'an agent of another port',
  send: async () => {},
  receive: async () => {},
  generateReply: async () => null,
};

describe('a trigger', () => {
  test.each<[string, TriggerElement, Agent | null, boolean]>([
    ['its own name', 'Bob', bob, true],
    ['another name', 'Eve', bob, false],
    ['the agent itself', bob, bob, true],
    ['another agent', user, bob, false],
    ['its class', UserProxyAgent, user, true],
    ['a class it is not of', AssistantAgent, user, false],
    ['a base class', ConversableAgent, user, true],
    ['a class, without sender', ConversableAgent, null, false],
    ['a test that holds', (sender) => sender?.name === 'Bob', bob, true],
    ['a test that does not', () => false, bob, false],
    ['an empty list', [], bob, false],
    ['a list with null, without sender', [Agent, null], null, true],
    ['null, with a sender', null, bob, false],
  ])('[TR1] by %s', (_what, trigger, sender, expected) => {
    expect(matchTrigger(trigger, sender)).toBe(expected);
  });

  test.each([[null], [undefined], [5], [true], [{}]])('[TR1] %j is none', (trigger) => {
    const register = () => bob.registerReply(trigger as unknown as Trigger, () => [false, null]);
    expect(register).toThrow('trigger must be a class, a string, an agent, a callable or a list.');
  });

  test('[TR1] a list is tried from left to right and no further than needed', () => {
    expect(matchTrigger([null, 'x'], null)).toBe(true);
    expect(() => matchTrigger(['x', null], null)).toThrow(SenderRequired);
  });

  test('[TR2] a test must answer with a boolean', () => {
    const one = (() => 1) as unknown as () => boolean;
    expect(() => matchTrigger(one, bob)).toThrow('must return a boolean value.');
  });

  test('[TR3] the class Agent accepts whatever has the members of an agent', () => {
    expect(matchTrigger(Agent, foreign)).toBe(true);
    expect(matchTrigger(ConversableAgent, foreign)).toBe(false);
    const { send, ...less } = foreign;
    expect(less instanceof Agent).toBe(false);
  });
});
