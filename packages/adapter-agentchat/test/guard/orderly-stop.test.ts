import {
  MaxMessageTermination,
  ModelClientStreamingChunkEvent,
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
function stoppedOnce(condition: MaxMessageTermination, onError = (_: unknown) => {}) {
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
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
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
    const aborted: unknown[] = [];
    const look = tool('look', () => {
      breaker.stop('enough');
      aborted.push(...signals.map((signal) => signal?.aborted));
      return 'seen';
    });
    const { agent } = assistant('bot', [], { tools: [look], maxToolIterations: 2 });
    agent.modelClient = new Heard([callsTool('look')]);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    expect(aborted).toEqual([true]);
  });

  it('[GRD17] hands a tool that does not stream such a signal, too', async () => {
    const breaker = new Breaker({ scope: 'breaker' });
    let isAborted: boolean | undefined;
    const workbench = plainWorkbench('look', ({ signal }) => {
      breaker.stop('enough');
      isAborted = signal?.aborted;
      return 'seen';
    });
    const { agent } = assistant('bot', [callsTool('look')], { workbench, maxToolIterations: 2 });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    expect(await team.run({ task: 'Go' })).toMatchObject({ stopReason: 'enough' });
    expect(isAborted).toBe(true);
  });
});

describe('a framework that takes a refusal for a failure', () => {
  /** A team of another make: what goes wrong in it is thrown as text. */
  class OtherTeam implements Pick<Team, 'name' | 'participants' | 'run' | 'runStream'> {
    readonly name = 'other';
    readonly terminationCondition: MaxMessageTermination | null;
    readonly participants: Speaker[] = ['a', 'b'].map(talker);

    constructor(condition: MaxMessageTermination | null = new MaxMessageTermination(9)) {
      this.terminationCondition = condition;
    }

    async run(): Promise<never> {
      throw new Error('not used');
    }

    async *runStream(): ReturnType<Team['runStream']> {
      try {
        for (let turn = 0; ; turn++) {
          const agent = this.participants[turn % 2] as Speaker;
          for await (const item of agent.onMessagesStream([])) {
            const message = 'chatMessage' in item ? item.chatMessage : item;
            await this.terminationCondition?.call([message]);
            const { source } = message;
            yield new ModelClientStreamingChunkEvent({ source, content: 'a piece' });
            yield message;
          }
        }
      } catch (error) {
        throw new Error(`agent failed: ${String(error)}`);
      }
    }
  }

  it('[GRD11] gets its run ended in good order all the same', async () => {
    const condition = new MaxMessageTermination(9);
    const team = new OtherTeam(condition);
    const breaker = new Breaker({ maxMessages: 3 });
    guardTeam(team, breaker);
    const { messages, stopReason } = await (team as Pick<Team, 'run'>).run({ task: 'Discuss' });
    expect(messages.map((message) => message.toText())).toEqual(['a1', 'b1', 'a2']);
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(await condition.call([])).toBeNull();
    expect(condition.terminated).toBe(false);
  });

  it.each([
    ['no condition', null],
    ['one that cannot be reset', Object.assign(new MaxMessageTermination(9), { reset: undefined })],
  ])('[GRD11] may have %s: nothing has failed then', async (_, condition) => {
    const problems: unknown[] = [];
    const team = new OtherTeam(condition);
    const breaker = new Breaker({ maxMessages: 3 });
    guardTeam(team, breaker, { onError: (problem) => problems.push(problem) });
    const { stopReason } = await (team as Pick<Team, 'run'>).run({ task: 'Discuss' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(problems).toEqual([]);
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
