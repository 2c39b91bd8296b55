import {
  type AndTerminationCondition,
  RoundRobinGroupChat,
  type Termination,
} from '@teamfuse/agentchat';
import { Breaker, type Trip } from '@teamfuse/core';
import { expectTypeOf, test } from 'vitest';
import {
  BreakerTermination,
  type Guard,
  GuardedAgent,
  guardTeam,
  RepetitionTermination,
} from '../src/index.ts';

const breaker = new Breaker();

test('[TYP1] a breaker is a condition like any other', () => {
  expectTypeOf(new BreakerTermination(breaker)).toExtend<Termination>();
  expectTypeOf(
    new RepetitionTermination().and(new BreakerTermination(breaker)),
  ).toEqualTypeOf<AndTerminationCondition>();
});

test('[TYP2] teams of this and of other makes can be guarded', () => {
  expectTypeOf<RoundRobinGroupChat>().toExtend<Parameters<typeof guardTeam>[0]>();
  const other = { name: 'other', participants: [{}], run: async () => 1, async *runStream() {} };
  expectTypeOf(guardTeam(other, breaker)).toEqualTypeOf<Guard>();
  expectTypeOf<Guard['trip']>().toEqualTypeOf<Trip | undefined>();
});

test('[TYP3] what is neither does not compile', () => {
  // @ts-expect-error Conditions are made of breakers.
  new BreakerTermination({ maxMessages: 3 });
  // @ts-expect-error A team is no agent.
  new GuardedAgent(new RoundRobinGroupChat([]), breaker);
  // @ts-expect-error A breaker is no team.
  guardTeam(breaker, breaker);
  // @ts-expect-error Options belong to their detector.
  new RepetitionTermination({ ratio: 3 });
});
