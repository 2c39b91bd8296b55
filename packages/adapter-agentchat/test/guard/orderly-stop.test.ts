import {
  MaxMessageTermination,
  RoundRobinGroupChat,
  type RunOptions,
  type Team,
  TextMessage,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, plainWorkbench, Speaker, talker, tool } from '../support/agents.ts';

/** A team that is stopped by hand in its second turn, once. */
function stoppedOnce(condition: MaxMessageTermination | null, onError = (_: unknown) => {}) {
  const breaker = new Breaker({ scope: 'breaker' });
  const speaker = new Speaker('a', (turn) => {
    if (turn === 2) breaker.stop('enough');
    return `a${turn}`;
  });
  const team = new RoundRobinGroupChat([speaker], { terminationCondition: condition });
  guardTeam(team, breaker, { onError });
  return { team, breaker };
}

describe('the condition of a team that is stopped', () => {
  it('[GRD11] begins from the beginning in the next run', async () => {
    const { team, breaker } = stoppedOnce(new MaxMessageTermination(4));
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    breaker.reset();
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe('Maximum number of messages 4 reached, current message count: 4');
    expect(messages).toHaveLength(4);
  });

  it.each([
    ['none', null],
    ['one that cannot be reset', Object.assign(new MaxMessageTermination(9), { reset: undefined })],
  ])('[GRD11] may be %s: nothing has failed then', async (_, condition) => {
    const problems: unknown[] = [];
    const { team } = stoppedOnce(condition, (problem) => problems.push(problem));
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    expect(problems).toEqual([]);
  });

  it('[SAFE1] may fail to be reset: the run ends in good order, and onError has the error', async () => {
    class Stuck extends MaxMessageTermination {
      override async reset(): Promise<void> {
        throw new Error('stuck');
      }
    }
    const errors: unknown[] = [];
    const { team } = stoppedOnce(new Stuck(9), (error) => errors.push(error));
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    expect(errors).toMatchObject([{ during: 'observe', error: { message: 'stuck' } }]);
  });
});

describe('a run that is stopped', () => {
  it('[GRD14] keeps whole messages, and no pieces of one', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const { agent } = assistant('bot', [{ content: 'Hello there', chunks: ['Hello ', 'there'] }], {
      modelClientStream: true,
    });
    const team = new RoundRobinGroupChat([agent]);
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe(breaker.trip?.reason);
    expect(messages.map(({ type }) => type)).toEqual(['TextMessage', 'TextMessage']);
  });

  it('[GRD17] hands models and tools a signal, which aborts when a person stops it', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    class Heard extends ReplayChatCompletionClient {
      override create(...[messages, options]: Parameters<ReplayChatCompletionClient['create']>) {
        signals.push(options?.signal);
        return super.create(messages, options);
      }
    }
    const breaker = new Breaker({ scope: 'breaker' });
    const look = tool('look', () => {
      breaker.stop('enough');
      return 'seen';
    });
    const { agent } = assistant('bot', [], { tools: [look], maxToolIterations: 2 });
    agent.modelClient = new Heard([callsTool('look')]);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
  });

  it('[GRD17] hands a tool that does not stream such a signal, too', async () => {
    const breaker = new Breaker({ scope: 'breaker' });
    let given: AbortSignal | undefined;
    const workbench = plainWorkbench('look', ({ signal }) => {
      given = signal;
      breaker.stop('enough');
      return 'seen';
    });
    const { agent } = assistant('bot', [callsTool('look')], { workbench, maxToolIterations: 2 });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    expect(given?.aborted).toBe(true);
  });
});

describe('a framework that takes a refusal for a failure', () => {
  /** A team of another make: what goes wrong in it is thrown as text. */
  class OtherTeam implements Pick<Team, 'name' | 'participants' | 'run' | 'runStream'> {
    readonly name = 'other';
    readonly terminationCondition: MaxMessageTermination = new MaxMessageTermination(9);
    readonly participants: Speaker[] = ['a', 'b'].map(talker);

    async run(): Promise<never> {
      throw new Error('not used');
    }

    async *runStream(): ReturnType<Team['runStream']> {
      try {
        for (let turn = 0; ; turn++) {
          const agent = this.participants[turn % 2] as Speaker;
          for await (const item of agent.onMessagesStream([])) {
            const message = 'chatMessage' in item ? item.chatMessage : item;
            await this.terminationCondition.call([message]);
            yield message;
          }
        }
      } catch (error) {
        throw new Error(`agent failed: ${String(error)}`);
      }
    }
  }

  it('[GRD11] gets its run ended in good order all the same', async () => {
    const team = new OtherTeam();
    const breaker = new Breaker({ maxMessages: 3 });
    guardTeam(team, breaker);
    const { messages, stopReason } = await (team as Pick<Team, 'run'>).run({ task: 'Discuss' });
    expect(messages.map((message) => message.toText())).toEqual(['a1', 'b1', 'a2']);
    expect(stopReason).toBe(breaker.trip?.reason);
    expect(await team.terminationCondition.call([])).toBeNull();
    expect(team.terminationCondition.terminated).toBe(false);
  });

  const word = new TextMessage({ source: 'chair', content: 'Discuss' });

  it.each<[string, RunOptions, string[]]>([
    ['a text', { task: 'Discuss' }, ['user: Discuss']],
    ['a message', { task: word }, ['chair: Discuss']],
    ['messages', { task: [word, word] }, ['chair: Discuss', 'chair: Discuss']],
    ['none', {}, []],
    ['one that is not to be shown', { task: word, outputTaskMessages: false }, []],
  ])('[GRD11] shows the task if nothing else was said: %s', async (_, options, shown) => {
    const team = new OtherTeam();
    const breaker = new Breaker();
    breaker.stop('closed');
    guardTeam(team, breaker);
    const { messages } = await (team as Pick<Team, 'run'>).run(options);
    expect(messages.map((message) => `${message.source}: ${message.toText()}`)).toEqual(shown);
  });
});
