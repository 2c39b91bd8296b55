import {
  CancelledError,
  CodeExecutorAgent,
  MagenticOneGroupChat,
  MaxMessageTermination,
  RoundRobinGroupChat,
  SelectorGroupChat,
  type Team,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import {
  assistant,
  callsTool,
  replay,
  Speaker,
  scriptedExecutor,
  talker,
  tool,
} from '../support/agents.ts';
import { alarm } from '../support/alarm.ts';

const counted = { counter: { countMessages: () => 10 } };

const talkers = (): Speaker[] => ['a', 'b'].map(talker);

const texts = (messages: readonly { toText(): string }[]): string[] =>
  messages.map((message) => message.toText());

describe('a run under a guard', () => {
  it('[GRD1] ends in good order when the breaker opens between turns', async () => {
    const breaker = new Breaker({ maxMessages: 3 });
    const team = new RoundRobinGroupChat(talkers());
    const guard = guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Discuss' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(guard.trip).toBe(breaker.conversation().trip);
    expect(texts(messages)).toEqual(['Discuss', 'a1', 'b1', 'a2']);
  });

  it('[GRD2] stops a tool loop before the next model call, and keeps what was said', async () => {
    let searches = 0;
    const search = tool('search', () => `hit ${++searches}`);
    const { agent, model } = assistant(
      'bot',
      [1, 2, 3, 4, 5].map((n) => callsTool('search', { n })),
      { tools: [search], maxToolIterations: 5 },
    );
    const team = new RoundRobinGroupChat([agent]);
    guardTeam(team, new Breaker({ budget: { maxTokens: 35 } }), counted);

    const { messages, stopReason } = await team.run({ task: 'Find out' });
    expect(stopReason).toContain('budget');
    expect(model.calls).toHaveLength(2);
    expect(searches).toBe(2);
    expect(messages.map(({ type }) => type)).toEqual([
      'TextMessage',
      'ToolCallRequestEvent',
      'ToolCallExecutionEvent',
      'ToolCallRequestEvent',
      'ToolCallExecutionEvent',
    ]);
  });

  it('[GRD2] stops between a model call and the tools it asked for', async () => {
    let searches = 0;
    const { agent } = assistant('bot', [callsTool('search')], {
      tools: [tool('search', () => ++searches)],
    });
    const breaker = new Breaker();
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'usage') breaker.stop('that will do');
    });
    const team = new RoundRobinGroupChat([agent]);
    guardTeam(team, breaker);
    expect((await team.run({ task: 'Find out' })).stopReason).toBe('that will do');
    expect(searches).toBe(0);
  });

  it('[GRD2] lets tools that run at the same time end, and begins none after the trip', async () => {
    const begun: string[] = [];
    const breaker = new Breaker();
    const names = ['one', 'two', 'three'];
    const content = names.map((name) => ({ id: name, name, arguments: '{}' }));
    const { agent, model } = assistant('bot', [{ content }, 'never said'], {
      tools: names.map((name) =>
        tool(name, async () => {
          begun.push(name);
          if (name === 'two') breaker.stop('enough');
          return name;
        }),
      ),
      maxToolIterations: 3,
    });
    const team = new RoundRobinGroupChat([agent]);
    guardTeam(team, breaker);
    expect((await team.run({ task: 'Go' })).stopReason).toBe('enough');
    expect(model.calls).toHaveLength(1);
    expect(begun.length).toBeLessThanOrEqual(3);
  });

  it('[GRD3] begins no code run after the trip', async () => {
    const breaker = new Breaker();
    const executor = scriptedExecutor({ exitCode: 1, output: 'x' }, { exitCode: 1, output: 'x' });
    const coder = new CodeExecutorAgent('coder', {
      codeExecutor: executor,
      modelClient: replay(
        '```python\n1/0\n```',
        '{"retry":true,"reason":"again"}',
        '```python\n1/0\n```',
      ),
      maxRetriesOnError: 3,
      approvalFunc: () => ({ approved: true, reason: '' }),
    });
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'model-request' && executor.ran.length === 1) breaker.stop('no more');
    });
    const team = new RoundRobinGroupChat([coder]);
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Divide' });
    expect(stopReason).toBe('no more');
    expect(executor.ran).toHaveLength(1);
    expect(messages.at(-1)?.type).toBe('CodeExecutionEvent');
  });

  it('[GRD4] asks before the model that chooses speakers is called', async () => {
    const modelClient = new ReplayChatCompletionClient(['b']);
    const team = new SelectorGroupChat(talkers(), { modelClient });
    const breaker = new Breaker();
    breaker.stop('closed for today');
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Discuss' });
    expect(stopReason).toBe('closed for today');
    expect(texts(messages)).toEqual(['Discuss']);
    expect(modelClient.calls).toHaveLength(0);
  });

  it('[GRD4] asks before the planning model is called', async () => {
    const modelClient = replay('facts', 'plan');
    const team = new MagenticOneGroupChat(talkers(), { modelClient });
    const breaker = new Breaker({ budget: { maxTokens: 35 } });
    guardTeam(team, breaker, { counter: { countMessages: () => 30 } });
    const { stopReason } = await team.run({ task: 'Plan' });
    expect(stopReason).toContain('budget');
    expect(modelClient.calls).toHaveLength(1);
  });

  it('[GRD5] resets the team’s condition, and the team goes on where it was once the breaker is reset', async () => {
    const members = talkers();
    const breaker = new Breaker({ maxMessages: 3 });
    const team = new RoundRobinGroupChat(members, {
      terminationCondition: new MaxMessageTermination(5),
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Discuss' });
    breaker.reset();
    const { messages } = await team.run();
    expect(texts(messages)).toEqual(['b2', 'a3', 'b3']);
    expect(members[1]?.received.at(-1)).toEqual(['a3']);
  });

  it.each([
    ['none', undefined],
    ['what is none', 7],
  ])('[GRD9] may have no task: the team says what it makes of %s', async (_, task) => {
    const problems: unknown[] = [];
    const make = (): Team => new RoundRobinGroupChat(talkers(), { maxTurns: 1 });
    const run = (team: Team) =>
      team.run({ task: task as never }).then(({ messages }) => texts(messages), String);
    const team = make();
    guardTeam(team, new Breaker(), { onError: (problem) => problems.push(problem) });
    expect(await run(team)).toEqual(await run(make()));
    expect(problems).toEqual([]);
  });

  it('[GRD6] refuses the first step of a run while the breaker is open', async () => {
    const members = talkers();
    const breaker = new Breaker();
    const team = new RoundRobinGroupChat(members);
    guardTeam(team, breaker);
    breaker.stop('closed');
    const { messages, stopReason } = await team.run({ task: 'Discuss' });
    expect([texts(messages), stopReason]).toEqual([['Discuss'], 'closed']);
    expect(members[0]?.received).toEqual([]);
  });

  it('[GRD7] starts the declared limits afresh', async () => {
    const breaker = new Breaker({ maxMessages: 4 });
    const team = new RoundRobinGroupChat(talkers(), { maxTurns: 3 });
    guardTeam(team, breaker);
    for (let run = 0; run < 3; run++) {
      expect((await team.run({ task: 'Discuss' })).stopReason).toContain('turns 3');
    }
  });

  it('[GRD8] is over for good once it has tripped, however short the cool-down', async () => {
    const breaker = new Breaker({ cooldownMs: 0, detectors: [() => alarm('b1')] });
    const members = talkers();
    const team = new RoundRobinGroupChat(members, { maxTurns: 9 });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Discuss' });
    expect(stopReason).toBe('somebody said b1');
    expect(members.map(({ received }) => received.length)).toEqual([1, 1]);
  });

  it('[GRD8] is over for good, even if the breaker is reset at once', async () => {
    const breaker = new Breaker({ detectors: [() => alarm('a1')] });
    breaker.on('trip', () => breaker.reset());
    const team = new RoundRobinGroupChat(talkers(), {
      terminationCondition: new BreakerTermination(breaker),
      maxTurns: 1,
    });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Discuss' });
    expect(stopReason).toBe('somebody said a1');
  });

  it('[GRD9] is cancelled by its signal as ever', async () => {
    const breaker = new Breaker();
    const abort = new AbortController();
    const slow = new Speaker('slow', () => {
      abort.abort();
      return 'x';
    });
    const team = new RoundRobinGroupChat([slow]);
    guardTeam(team, breaker);
    const run = team.run({ task: 'Go', signal: abort.signal });
    await expect(run).rejects.toThrow(CancelledError);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[GRD9] fails with the team’s own error when an agent fails', async () => {
    const failing = new Speaker('a', () => {
      throw new TypeError('no idea');
    });
    const team = new RoundRobinGroupChat([failing]);
    guardTeam(team, new Breaker());
    await expect(team.run({ task: 'Go' })).rejects.toThrow('TypeError: no idea');
  });

  it('[GRD10] is ended by whoever leaves its stream', async () => {
    const breaker = new Breaker({ maxMessages: 3 });
    const team = new RoundRobinGroupChat(talkers());
    guardTeam(team, breaker);
    for await (const item of team.runStream({ task: 'Discuss' })) {
      if ('source' in item && item.source === 'a') break;
    }
    expect((await team.run({ task: 'Again' })).stopReason).toBe(
      breaker.conversation().trip?.reason,
    );
  });
});

describe('a guard and a condition on the same breaker', () => {
  it('[GRD12] tell each thing once', async () => {
    const breaker = new Breaker();
    const told: string[] = [];
    breaker.on('signal', ({ signal }) => told.push(signal.kind));
    const { agent } = assistant('bot', [callsTool('search'), 'Found it'], {
      tools: [tool('search', () => 'hit')],
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent], {
      maxTurns: 1,
      terminationCondition: new BreakerTermination(breaker),
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Find out' });
    expect(told).toEqual([
      'human-input',
      'model-request',
      'usage',
      'tool-call',
      'model-request',
      'usage',
      'message',
    ]);
  });

  it('[GRD12] stop with the one reason', async () => {
    const breaker = new Breaker({ maxMessages: 2 });
    const team = new RoundRobinGroupChat(talkers(), {
      terminationCondition: new BreakerTermination(breaker),
    });
    guardTeam(team, breaker);
    const { stopReason, messages } = await team.run({ task: 'Discuss' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(texts(messages)).toEqual(['Discuss', 'a1', 'b1']);
  });
});
