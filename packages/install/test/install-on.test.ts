import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatAgent, RoundRobinGroupChat, TextMessage } from '@teamfuse/agentchat';
import { type Policy, parsePolicy } from '@teamfuse/config';
import { Breaker, type BreakerOptions, MemoryBudgetStore, PRESETS } from '@teamfuse/core';
import { GuardInstallError, internalsOf } from '@teamfuse/core/kit';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InstallOptions, installOn } from '../src/index.ts';
import {
  managerNamed,
  managerOf,
  speaker,
  teamOf,
  teamSaying,
  teamWithUsage,
} from './support/teams.ts';

const NOTHING: Policy = parsePolicy('', 'teamfuse.toml');

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'teamfuse-install-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** Writes the file that is found. */
function write(text: string): string {
  const file = join(cwd, 'teamfuse.toml');
  writeFileSync(file, text);
  return file;
}

describe('a guard on agents', () => {
  it('[ION1] stops an agent', async () => {
    const [writer, critic] = [speaker('writer'), speaker('critic')];
    const guard = installOn([writer, critic], parsePolicy('maxMessages = 4', 'teamfuse.toml'));
    await writer.initiateChat(critic, { message: 'Hello.', maxTurns: 20, silent: true });
    expect(guard.trip?.kind).toBe('limit');
    expect(writer.chatMessages.get(critic)?.length).toBe(4);
  });

  it('[ION2] is on all members of the group of a manager', async () => {
    const [writer, critic] = [speaker('writer'), speaker('critic')];
    const manager = managerOf(writer, critic);
    const guard = installOn(manager, NOTHING);
    expect(guard.found).toEqual([
      { kind: 'group', name: 'manager', members: ['manager', 'writer', 'critic'] },
    ]);
    await writer.initiateChat(manager, { message: 'Hello.', silent: true });
    expect(guard.trip?.kind).toBe('speaker-cycle');
  });

  it('[ION2] is on the members of a group in a group, each once', () => {
    const [writer, critic] = [speaker('writer'), speaker('critic')];
    const inner = managerNamed('inner', writer, critic);
    const guard = installOn([managerOf(inner, critic), writer], NOTHING);
    expect(guard.found.map(({ members }) => members)).toEqual([
      ['manager', 'inner', 'critic', 'writer'],
      ['writer'],
    ]);
  });

  it('[ION2] is on the members of a group that is given without its manager', () => {
    const { groupchat } = managerOf(speaker('writer'), speaker('critic'));
    expect(installOn(groupchat, NOTHING).found).toEqual([
      { kind: 'group', name: '', members: ['writer', 'critic'] },
    ]);
  });
});

describe('a guard on a team', () => {
  it('[ION3] is on everything in it', async () => {
    const team = teamOf('outer', 'writer', 'critic');
    const guard = installOn(team, NOTHING);
    const { stopReason } = await team.run({ task: 'Write about tides.' });
    expect(guard.trip?.kind).toBe('speaker-cycle');
    expect(stopReason).toBe(guard.trip?.reason);
  });

  it('[ION3] names the members of inner teams', () => {
    const team = new RoundRobinGroupChat([teamOf('inner', 'writer', 'critic')], { name: 'outer' });
    expect(installOn(team, NOTHING).found).toEqual([
      { kind: 'team', name: 'outer', members: ['inner', 'writer', 'critic'] },
    ]);
  });
});

describe('a guard on a list', () => {
  it('[ION7] has one breaker, and gives each item in its place', () => {
    const [writer, team] = [speaker('writer'), teamOf('team', 'critic')];
    const add = (a: number, b: number): number => a + b;
    const guard = installOn([writer, team, add, { add }] as const, NOTHING);
    const [one, two, three, four] = guard.guarded;
    expect([one, two]).toEqual([writer, team]);
    three(1, 2);
    four.add(1, 2);
    expect(guard.found.map(({ kind }) => kind)).toEqual(['agent', 'team', 'function', 'tools']);
    expect(() => four.add(1, 2)).toThrow('for the third time');
    expect(guard.breaker.conversation().trip?.kind).toBe('repetition');
  });
});

describe('what is not recognised', () => {
  const recognised =
    'an agent with registerReply, a group of such agents or its manager, a team with run, runStream and participants, an agent, a language model or a tool set of the AI SDK, an agent of LangChain, a compiled graph of LangGraph, an agent of Mastra, an MCP client, a Runner of the OpenAI Agents SDK, a function, an object of functions, or a list of these';
  const page =
    'For other frameworks, see https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks.md';

  it.each([
    ['nothing', undefined, 'nothing'],
    ['a text', 'writer', 'a string'],
    ['an object of another class', new Date(), 'an object of class Date'],
    ['an object without functions', { name: 'writer' }, 'an object of class Object'],
    ['a class', class Team {}, "the class 'Team': pass an instance of it"],
  ])('[ION8] is %s', (_what, target, received) => {
    expect(() => installOn(target as object, NOTHING)).toThrow(
      new GuardInstallError('the target', `${recognised}; received ${received}. ${page}`),
    );
  });

  it('[ION8] is an agent of a team without the team', () => {
    const [writer] = teamOf('team', 'writer').participants;
    expect(() => installOn(writer as object, NOTHING)).toThrow(
      "received the agent 'writer' by itself: pass its team, or wrap it as a GuardedAgent",
    );
  });

  it('[ION8] is an empty list', () => {
    expect(() => installOn([], NOTHING)).toThrow('a list that is not empty');
  });

  it('[ION8] is named by its place in a list, and nothing is installed', () => {
    const writer = speaker('writer');
    const before = writer.replyFuncList.length;
    expect(() => installOn([writer, 5], NOTHING)).toThrow('cannot guard item 2 of the list');
    expect(writer.replyFuncList.length).toBe(before);
  });
});

describe('the report', () => {
  it('[ION9] says what was found, under which policy, and that a loop is stopped', async () => {
    const team = teamOf('research', 'critic');
    const policy = parsePolicy('maxTurns = 9', '/etc/teamfuse.toml');
    const guard = installOn([managerOf(speaker('writer')), team, function add() {}], policy);
    const report = await guard.report();
    expect(report).toMatchObject({
      policy: '/etc/teamfuse.toml',
      team: null,
      found: guard.found,
      unguarded: [],
      isPassed: true,
    });
    const owners = report.checks.map(({ owner }) => owner);
    expect(owners).toEqual(expect.arrayContaining(["agent 'critic'", "function 'add'"]));
  });

  it('[ION9] fails where a tap was taken off behind the back of the guard', async () => {
    const team = teamOf('research', 'critic');
    const { run, runStream } = team;
    const guard = installOn(team, NOTHING);
    Object.assign(team, { run, runStream });
    const { isPassed } = await guard.report();
    expect(isPassed).toBe(false);
  });
});

describe('the policy of a guard', () => {
  it('[ION10] is the nearest teamfuse.toml', async () => {
    const file = write('maxToolCalls = 1');
    const guard = installOn(() => 1, undefined, { cwd });
    guard.guarded();
    expect(guard.trip?.kind).toBe('limit');
    expect((await guard.report()).policy).toBe(file);
  });

  it('[ION10] is that of the defaults where there is no file', async () => {
    const guard = installOn(() => 1, undefined, { cwd });
    expect((await guard.report()).policy).toBeNull();
  });

  it('[ION10] is refused if it is wrong', () => {
    const file = write('maxToolCall = 1');
    expect(() => installOn(() => 1, undefined, { cwd })).toThrow(
      `${file}:1:1: key 'maxToolCall': expected a known option (did you mean 'maxToolCalls'?), received 1`,
    );
  });

  it('[ION20] may be the options of a breaker, beside those that no file can hold', async () => {
    write('maxToolCalls = 9');
    const budget = { store: new MemoryBudgetStore() };
    const inline = { ...PRESETS.classic, maxToolCalls: 1 };
    const guard = installOn(() => 1, inline, { cwd, now: () => 17, budget });
    guard.guarded();
    expect(guard.trip?.evidence).toMatchObject({ subject: 'number of tool calls', limit: 1 });
    expect(guard.breaker.now()).toBe(17);
    expect(await guard.report()).toMatchObject({ policy: null, team: null });
  });

  it('[ION20] is refused if an option of a breaker is wrong', () => {
    expect(() => installOn(() => 1, { maxToolCall: 1 } as BreakerOptions)).toThrow(
      "option 'maxToolCall': expected a known option (did you mean 'maxToolCalls'?), received 1",
    );
  });

  it.each([
    ['half a policy', { file: 'teamfuse.toml' }],
    ['the name of a file', 'teamfuse.toml'],
  ])('[ION10] is refused if it is %s', (_what, policy) => {
    expect(() => installOn(() => 1, policy as unknown as Policy, { cwd })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option: 'policy' }),
    );
  });

  const TEAMS = parsePolicy('[teams.research]\nmaxTurns = 2\n[teams.other]', 'teamfuse.toml');

  it('[ION11] is the section under the name of the target', async () => {
    const team = teamOf('research', 'writer', 'critic');
    const guard = installOn(team, TEAMS);
    await team.run({ task: 'Write about tides.' });
    expect(guard.trip?.kind).toBe('limit');
    expect((await guard.report()).team).toBe('research');
  });

  it.each([
    ['named', 'research', { team: 'other' }, 'other'],
    ['of no name in the policy', 'drafts', {}, null],
  ])('[ION11] is the section that is %s', async (_what, name, options, expected) => {
    const guard = installOn(teamOf(name, 'writer'), TEAMS, options);
    expect((await guard.report()).team).toBe(expected);
  });

  it('[ION11] that has no such section is refused', () => {
    expect(() => installOn(() => 1, TEAMS, { team: 'reserch' })).toThrow(
      "did you mean 'research'?",
    );
  });

  it.each([
    [{ maxTurns: 5 }, 'maxTurns'],
    [{ budget: { maxUsd: 5 } }, 'budget.maxUsd'],
    [{ onTrip: 'throw' }, 'onTrip'],
  ])('[ION13] does not come from code: %j', (options, option) => {
    expect(() => installOn(() => 1, NOTHING, options as InstallOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option }),
    );
  });

  it('[ION13] has the clock of the code', () => {
    expect(installOn(() => 1, NOTHING, { now: () => 17 }).breaker.now()).toBe(17);
  });
});

describe('options of the guards inside', () => {
  it('[ION17] keeps how runs end, and refuses a task whose latest runs failed alike', async () => {
    const store = new MemoryHistoryStore();
    const policy = parsePolicy('maxMessages = 2', 'teamfuse.toml');
    const history = { store, task: 'tides', lastRuns: 2 };
    const team = (): RoundRobinGroupChat => teamOf('team', 'writer');
    for (let run = 0; run < 2; run++) {
      const failing = team();
      installOn(failing, policy, { history });
      await failing.run({ task: 'Write about tides.' });
    }
    const third = team();
    installOn(third, policy, { history });
    await expect(third.run({ task: 'Write about tides.' })).rejects.toMatchObject({
      code: 'REPEATED_FAILURE',
    });
  });

  it('[ION17] has prices by the model that is declared', async () => {
    const prices = {
      price: (model: string) => (model === 'gpt-4o' ? { nanoUsd: 1_000 } : undefined),
    };
    const team = teamWithUsage(1);
    const guard = installOn(team, NOTHING, { prices, models: { writer: 'gpt-4o' } });
    await team.run({ task: 'Write about tides.' });
    expect(guard.breaker.cost).toMatchObject({ nanoUsd: 1_000, unpricedTokens: 0 });
  });

  it('[ION18] lets work wrap up with what the budget keeps back, in teams and with agents', async () => {
    const prices = { price: () => ({ nanoUsd: 400_000_000 }) };
    const policy = parsePolicy(
      'repetition = false\nspeakerCycle = false\n[budget]\nmaxUsd = 1\nreserveUsd = 0.5',
      'teamfuse.toml',
    );
    const team = teamWithUsage(9);
    const guard = installOn([speaker('critic'), team], policy, { prices });
    await team.run({ task: 'Write about tides.' });
    expect(guard.trip?.kind).toBe('budget');
    const [writer] = team.participants as readonly [ChatAgent];
    const sum = [new TextMessage({ content: 'Sum it up.', source: 'user' })];
    await expect(writer.onMessages(sum)).rejects.toThrow('budget');
    const { chatMessage } = await guard.wrapUp(() => writer.onMessages(sum));
    expect(chatMessage.toText()).toBe('Over to you.');
  });

  it('[ION18] runs such work where there are only functions', () => {
    expect(installOn(() => 1, NOTHING).wrapUp(() => 'done')).toBe('done');
  });
});

describe('a guard that is taken off', () => {
  it('[ION12] leaves agents and teams as they were', async () => {
    const [writer, team] = [speaker('writer'), teamOf('team', 'critic')];
    const chain = [...writer.replyFuncList];
    const members = Object.getOwnPropertyNames(team);
    const guard = installOn([writer, team], parsePolicy('maxMessages = 1', 'teamfuse.toml'));
    guard.uninstall();
    guard.uninstall();
    expect(writer.replyFuncList).toEqual(chain);
    expect(Object.getOwnPropertyNames(team)).toEqual(members);
    await team.run({ task: 'Write about tides.' });
    expect(guard.breaker.conversation().trip).toBeUndefined();
  });

  it('[ION12] is so at the end of its block', () => {
    const writer = speaker('writer');
    const chain = [...writer.replyFuncList];
    {
      using guard = installOn(writer, NOTHING);
      expect(guard.found).toHaveLength(1);
      expect(writer.replyFuncList).not.toEqual(chain);
    }
    expect(writer.replyFuncList).toEqual(chain);
  });
});

describe('the judge of what is guarded', () => {
  const stale = JSON.stringify({ reason: 'They wait.', probability: 1 });

  it.each<[string, Policy, InstallOptions]>([
    ['the policy', parsePolicy('judge = true', 'teamfuse.toml'), {}],
    ['the code', NOTHING, { judge: true }],
    ['a section', parsePolicy('[teams.crew]\njudge = true', 'teamfuse.toml'), { team: 'crew' }],
  ])('[ION19] asks the model of the team where %s says so', async (_, policy, options) => {
    const team = teamSaying(stale);
    const guard = installOn(team, policy, options);
    const { stopReason } = await team.run({ task: 'Write about tides.' });
    expect(stopReason).toContain(
      "the judge is 100% sure that the team is going in circles: 'They wait.'",
    );
    expect((await guard.report()).isPassed).toBe(true);
  });

  it('[ION19] asks the first model of all targets, and needs none of the others', async () => {
    const agents = managerOf(speaker('writer'), speaker('critic'));
    const team = teamSaying(stale);
    const guard = installOn([agents, team, { max: Math.max }], NOTHING, { judge: true });
    const { stopReason } = await team.run({ task: 'Write about tides.' });
    expect(stopReason).toContain('the judge is 100% sure');
    guard.uninstall();
    expect(internalsOf(guard.breaker).judges.current).toBeUndefined();
  });

  it('[ION23] guards with the breaker of a tenant, and leaves nothing on it', async () => {
    const breaker = new Breaker({ judge: true, maxToolCalls: 1 });
    const ann = breaker.for({ user: 'ann' });
    const team = teamSaying(stale);
    const guard = installOn([team, { max: Math.max }], ann, { conversation: 'chat' });
    expect((await team.run({ task: 'Write about tides.' })).stopReason).toContain('the judge');
    expect(ann.stopped.map(({ id }) => id)).toEqual(['user:ann/chat']);
    expect(internalsOf(ann).judges.current).toBeDefined();
    guard.uninstall();
    expect(internalsOf(ann).judges.current).toBeUndefined();
    expect(() => installOn({ max: Math.max }, ann, { team: 'x' })).toThrow(
      "option 'team' cannot be combined with a breaker",
    );
  });

  it.each<[string, () => object]>([
    ['agents', () => managerOf(speaker('writer'), speaker('critic'))],
    ['functions', () => ({ max: Math.max })],
  ])('[ION19] is refused where there are only %s without a model', (_, target) => {
    const policy = parsePolicy('judge = true', 'teamfuse.toml');
    const given = target();
    expect(() => installOn(given, policy)).toThrow(GuardInstallError);
    expect(() => installOn(given, policy)).toThrow('judge: true asks');
    expect(installOn(given, policy, { judge: false }).trip).toBeUndefined();
    expect(internalsOf(installOn(target(), policy, { judge: () => 0 }).breaker).judges.hasOwn).toBe(
      true,
    );
  });
});
