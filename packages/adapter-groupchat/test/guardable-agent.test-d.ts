import type { Breaker } from '@teamfuse/core';
import type {
  AssistantAgent,
  ConversableAgent,
  GroupChatManager,
  UserProxyAgent,
} from '@teamfuse/groupchat';
import { expectTypeOf, test } from 'vitest';
import { type Guard, type GuardableAgent, guardAgents } from '../src/index.ts';
import type { HookedAgent, PlainAgent } from './support/plain-agent.ts';

declare const breaker: Breaker;

test('[GCU7] agents are taken by their shape', () => {
  expectTypeOf<ConversableAgent>().toExtend<GuardableAgent>();
  expectTypeOf<GroupChatManager>().toExtend<GuardableAgent>();
  expectTypeOf<AssistantAgent>().toExtend<GuardableAgent>();
  expectTypeOf<UserProxyAgent>().toExtend<GuardableAgent>();
  expectTypeOf<PlainAgent>().toExtend<GuardableAgent>();
  expectTypeOf<HookedAgent>().toExtend<GuardableAgent>();
  expectTypeOf(guardAgents([], breaker)).toEqualTypeOf<Guard>();
});

test('[GCU7] what is none is not', () => {
  // @ts-expect-error an agent has a name
  guardAgents([{ registerReply() {} }], breaker);
  // @ts-expect-error an agent takes reply functions
  guardAgents([{ name: 'A' }], breaker);
  // @ts-expect-error there is no such mode
  guardAgents([], breaker, { onTrip: 'explode' });
});
