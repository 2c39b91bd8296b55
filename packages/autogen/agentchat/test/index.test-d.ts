import {
  type ChatItem,
  ExternalTermination,
  isChatMessage,
  isTaskResult,
  MaxMessageTermination,
  RoundRobinGroupChat,
  SelectorGroupChat,
  StopMessage,
  Swarm,
  type TaskResult,
  type Termination,
  TerminationCondition,
  ToolCallExecutionEvent,
  UserProxyAgent,
  when,
} from '@teamfuse/agentchat';
import { describe, expectTypeOf, test } from 'vitest';

const user = new UserProxyAgent('user');
const team = new RoundRobinGroupChat([user]);

describe('conditions', () => {
  test('[TERM9] take whatever has their shape, and give back what can be combined further', () => {
    const own: Termination = { terminated: false, call: () => null, reset() {} };
    expectTypeOf(new MaxMessageTermination(1).or(own).and(own)).toExtend<TerminationCondition>();
    expectTypeOf(when`${own} | ${own}`).toEqualTypeOf<Termination>();
    // @ts-expect-error a text is no condition
    when`${'TERMINATE'}`;
    // @ts-expect-error a condition has to be able to reset
    new ExternalTermination().or({ terminated: false, call: () => null });
  });

  test('[TERM1] of one’s own may judge at once or later', () => {
    class Own extends TerminationCondition {
      readonly terminated = false;

      call(messages: readonly ChatItem[]): StopMessage | null {
        return messages.length > 0 ? new StopMessage({ content: 'x', source: 'Own' }) : null;
      }

      async reset(): Promise<void> {}
    }
    expectTypeOf(new Own().call([])).toEqualTypeOf<StopMessage | null>();
    // @ts-expect-error a condition has to judge
    class Lazy extends TerminationCondition {
      readonly terminated = false;
      reset(): void {}
    }
    expectTypeOf(Lazy).toBeObject();
  });
});

describe('teams', () => {
  test('[TEAM2] stream what is said and seen, then the result', () => {
    expectTypeOf(team.runStream()).toEqualTypeOf<AsyncGenerator<ChatItem | TaskResult, void>>();
    const item = {} as ChatItem | TaskResult;
    if (isTaskResult(item)) expectTypeOf(item.stopReason).toEqualTypeOf<string | null>();
    else expectTypeOf(item.toText()).toEqualTypeOf<string>();
  });

  test('[MSG1] narrow what they stream by its class', () => {
    const item = {} as ChatItem;
    if (isChatMessage(item)) expectTypeOf(item.toModelText()).toEqualTypeOf<string>();
    else expectTypeOf(item.isEvent).toEqualTypeOf<true>();
    if (item instanceof ToolCallExecutionEvent) {
      expectTypeOf(item.content[0]?.isError).toEqualTypeOf<boolean | null | undefined>();
    }
  });

  test('[AER4] take inner teams, except for swarms', () => {
    expectTypeOf(new RoundRobinGroupChat([team, user])).toExtend<RoundRobinGroupChat>();
    // @ts-expect-error a swarm consists of agents
    new Swarm([team]);
  });

  test('[CHO1] need a model where a model chooses', () => {
    // @ts-expect-error the model is missing
    new SelectorGroupChat([user, team], {});
  });

  test('[TEAM5] take a text, a message or messages as a task', () => {
    team.run({ task: 'go' });
    team.run({ task: [new StopMessage({ content: 'x', source: 'y' })], signal: undefined });
    // @ts-expect-error a number is no task
    team.run({ task: 42 });
  });
});
