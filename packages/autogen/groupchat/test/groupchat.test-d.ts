import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  Agent,
  type ChatEvent,
  ConversableAgent,
  GroupChat,
  type ReplyFunction,
  type ToolFunction,
} from '../src/index.ts';

const agent = new ConversableAgent({ name: 'A' });

test('[TR1] a bare null is no trigger', () => {
  // @ts-expect-error: null stands inside a list only
  agent.registerReply(null, () => [false, null]);
  agent.registerReply([Agent, null], () => [false, null]);
});

test('[RC4] a reply function answers with a pair', () => {
  // @ts-expect-error: not a pair
  agent.registerReply([Agent], () => null);
  expectTypeOf<ReplyFunction>().parameter(0).toEqualTypeOf<ConversableAgent>();
});

test('[RC5] the config has one type for all who see it', () => {
  agent.registerReply<{ n: number }>(
    [Agent],
    (_recipient, _messages, _sender, config) => {
      expectTypeOf(config).toEqualTypeOf<{ n: number }>();
      return [false, null];
    },
    { config: { n: 0 }, resetConfig: (config) => expectTypeOf(config.n).toBeNumber() },
  );
});

test('[FN4] a tool gets what its schema makes of the arguments', () => {
  agent.registerForExecution({
    name: 'f',
    parameters: z.object({ a: z.coerce.number() }),
    func: ({ a }) => {
      expectTypeOf(a).toBeNumber();
    },
  });
  expectTypeOf<ToolFunction>().toBeCallableWith({ a: 1 });
});

test('[TAP1] an event is narrowed by its kind', () => {
  const observe = (event: ChatEvent) => {
    if (event.kind === 'group-message') expectTypeOf(event.speaker).toEqualTypeOf<Agent>();
    // @ts-expect-error: only group messages have a round
    event.round;
  };
  agent.taps.add({ observe });
});

test('[GOP1] options are checked when they are written', () => {
  // @ts-expect-error: there is no such option
  new GroupChat({ agents: [agent], maxRounds: 3 });
  // @ts-expect-error: a name is needed
  new ConversableAgent({});
});
