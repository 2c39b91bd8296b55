import {
  AgentTool,
  RoundRobinGroupChat,
  SelectorGroupChat,
  type Team,
  TeamTool,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import type { ChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import {
  assistant,
  plainWorkbench,
  replay,
  Speaker,
  scriptedExecutor,
  talker,
  tool,
} from '../support/agents.ts';
import { ran } from '../support/items.ts';
import { ofKind, recorded } from '../support/signals.ts';
import { pair } from '../support/teams.ts';

/** The part of a client that an agent calls. */
interface Held {
  create(messages: readonly unknown[]): Promise<unknown>;
}

/** Lets a guarded agent take two turns, and gives back what was told. */
async function run(agent: Speaker) {
  const breaker = new Breaker();
  const signals = recorded(breaker);
  const team = new RoundRobinGroupChat([agent], { maxTurns: 2 });
  guardTeam(team, breaker);
  const { stopReason } = await team.run({ task: 'Go' });
  expect(stopReason).toBe('Maximum number of turns 2 reached.');
  return signals;
}

describe('what an agent has', () => {
  it('[INS9] is found where a class computes it', async () => {
    class Computed extends Speaker {
      #client: ChatCompletionClient = replay('one', 'two');

      get modelClient(): ChatCompletionClient {
        return this.#client;
      }
      set modelClient(client: ChatCompletionClient) {
        this.#client = client;
      }
      override async onMessages(...given: Parameters<Speaker['onMessages']>) {
        await this.modelClient.create([]);
        return super.onMessages(...given);
      }
    }
    const signals = await run(new Computed('a', () => 'x'));
    expect(ofKind(signals, 'usage')).toHaveLength(2);
  });

  it.each([
    ['by the member that holds it', {}],
    ['by its modelInfo', { modelInfo: { vision: false } }],
  ])('[INS9] is a client that does not stream, known %s', async (_, info) => {
    let made = 0;
    const usage = { promptTokens: 5, completionTokens: 5 };
    const client = {
      ...info,
      create: async () => ({ content: `answer ${++made}`, usage, finishReason: 'stop' }),
    };
    const member = 'modelInfo' in client ? 'brain' : 'modelClient';
    const agent = Object.assign(new Speaker('a', () => 'x'), { [member]: client });
    const onMessages = agent.onMessages.bind(agent);
    agent.onMessages = async (...given: Parameters<Speaker['onMessages']>) => {
      await (agent as unknown as Record<string, Held>)[member]?.create([]);
      return onMessages(...given);
    };
    const breaker = new Breaker({ maxModelCalls: 1 });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 4 });
    const guard = guardTeam(team, breaker);
    expect((await guard.selfTest()).isPassed).toBe(true);
    expect(made).toBe(0);
    const { stopReason } = await team.run({ task: 'Go' });
    expect([made, stopReason]).toEqual([1, 'the limit of 1 model call is reached (maxModelCalls)']);
  });

  it('[INS9] is no client if it only creates something', async () => {
    const factory = { create: () => 'a row' };
    const agent = Object.assign(new Speaker('a', () => 'x'), { rows: factory });
    guardTeam(new RoundRobinGroupChat([agent], { maxTurns: 1 }), new Breaker());
    expect(agent.rows).toBe(factory);
  });

  it('[INS9] is left alone where the agent hides it, or makes it up', async () => {
    const agent = talker('a');
    const hidden = replay();
    const made = (): never => {
      throw new Error('not to be read');
    };
    Object.defineProperty(agent, 'hidden', { value: hidden, writable: true, configurable: true });
    Object.defineProperty(agent, 'made', { get: made, enumerable: true });
    await run(agent);
    expect(Reflect.get(agent, 'hidden')).toBe(hidden);
  });

  const bench = plainWorkbench('look', () => 'seen');

  it.each([
    ['handoffs in a text', { handoffs: 'all' }],
    ['handoffs without names', { handoffs: [null, 'bob', { name: 7 }] }],
    ['no workbench', { workbench: [] }],
    ['a workbench and something else', { workbench: [bench, {}] }],
    ['tools in a text', { workbench: { ...bench, tools: 'many' } }],
    ['tools that are none', { workbench: { ...bench, tools: [null, 'look', tool] } }],
    ['an executor that is none', { codeExecutor: null }],
    ['nobody to ask', { inputFunc: null }],
  ])('[INS10] may be anything else, such as %s', async (_, members) => {
    const signals = await run(Object.assign(talker('a'), members));
    expect(ofKind(signals, 'message')).toHaveLength(2);
  });

  it.each([
    ['workbench', []],
    ['workbench', [bench, {}]],
    ['codeExecutor', {}],
    ['inputFunc', {}],
  ])('[INS10] stays what it is if it is no %s', async (member, part) => {
    const agent = Object.assign(talker('a'), { [member]: part });
    await run(agent);
    expect(Reflect.get(agent, member)).toBe(part);
  });
});

describe('what takes part in a team', () => {
  it('[INS5] is an agent or a team, or nothing is guarded', () => {
    const participants: unknown[] = [talker('a'), {}];
    const team = { name: 'other', participants, run: () => {}, runStream: () => {} };
    const before = Object.getOwnPropertyDescriptors(participants[0]);
    expect(() => guardTeam(team as never, new Breaker())).toThrow(
      "cannot guard team 'other': expected participants with onMessages and onMessagesStream, or teams, received an object of class Object",
    );
    expect(Object.getOwnPropertyDescriptors(participants[0])).toEqual(before);
  });

  it('[SELF1] is tapped once, however many put it to work', async () => {
    const helpers = ['helper', 'other'].map((name) => assistant(name, []).agent);
    const tools = [
      ...helpers.map((helper) => new AgentTool(helper)),
      new TeamTool(pair('inner', 'x', 'y'), { name: 'inner', description: 'works' }),
    ];
    const crew = ['a', 'b'].map((name) => assistant(name, [], { tools }).agent);
    const team = new RoundRobinGroupChat([...crew, ...helpers]);
    const { isPassed, checks } = await guardTeam(team, new Breaker()).selfTest();
    expect(isPassed).toBe(true);
    const taps = checks.map(({ owner, member }) => `${owner} ${member}`);
    expect(taps).toEqual(
      expect.arrayContaining(["agent 'helper' run", "agent 'other' run", "team 'inner' run"]),
    );
    expect(new Set(taps).size).toBe(taps.length);
  });
});

describe('the model of a team', () => {
  async function asker(change: (team: Team) => void) {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const members = ['a', 'b', 'c'].map(talker);
    const team = new SelectorGroupChat(members, { modelClient: replay('b'), maxTurns: 1 });
    change(team);
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    return ofKind(signals, 'model-request').map(({ agent }) => agent);
  }

  it('[GRD4] is asked for in the name of the manager', async () => {
    expect(await asker(() => {})).toEqual(['SelectorGroupChatManager']);
  });

  it('[GRD4] is asked for in the name of the team where it names no manager', async () => {
    const nameless = { value: undefined, configurable: true };
    expect(await asker((team) => Object.defineProperty(team, 'managerName', nameless))).toEqual([
      'SelectorGroupChat',
    ]);
  });
});

describe('code', () => {
  it('[MAP8] that is run out of sight is told by the event of it', async () => {
    class Coder extends Speaker {
      override async onMessages(...given: Parameters<Speaker['onMessages']>) {
        return { ...(await super.onMessages(...given)), innerMessages: [ran('coder', 1, 'x')] };
      }
    }
    const signals = await run(new Coder('coder', () => 'Done'));
    expect(ofKind(signals, 'execution')).toMatchObject([{ exitCode: 1 }, { exitCode: 1 }]);
  });

  it('[ONE1] that is run in nobody’s turn is told', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const codeExecutor = scriptedExecutor({ exitCode: 0, output: '7' });
    const runner = Object.assign(talker('runner'), { codeExecutor });
    guardTeam(new RoundRobinGroupChat([runner]), breaker);
    const block = { code: 'print(7)', language: 'python' };
    expect(await runner.codeExecutor.executeCodeBlocks([block])).toMatchObject({ output: '7' });
    expect(ofKind(signals, 'execution')).toMatchObject([{ agent: 'runner', code: 'print(7)' }]);
  });
});
