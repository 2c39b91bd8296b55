import {
  CodeExecutorAgent,
  RoundRobinGroupChat,
  SelectorGroupChat,
  UserProxyAgent,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import {
  assistant,
  callsTool,
  replay,
  Speaker,
  scriptedExecutor,
  tool,
} from '../support/agents.ts';
import { alarm } from '../support/alarm.ts';

const warning = (): Breaker => new Breaker({ detectors: [() => alarm('hm', 'warn')] });
const NUDGE = /^Notice: somebody said hm\. /;

describe('a warning', () => {
  it('[NUD1] is the last thing the next model reads, once', async () => {
    const { agent, model } = assistant('bot', ['hm', 'hm again', 'Done']);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 3 });
    guardTeam(team, warning());
    const { messages } = await team.run({ task: 'Go' });
    const read = model.calls.map((call) => call.messages.at(-1));
    expect(read[1]).toMatchObject({
      type: 'UserMessage',
      source: 'teamfuse',
      content: expect.stringMatching(NUDGE),
    });
    expect(read.filter((message) => NUDGE.test(String(message?.content)))).toHaveLength(1);
    expect(messages.some((message) => NUDGE.test(message.toText()))).toBe(false);
  });

  it('[NUD2] reaches a model in the middle of its tool loop', async () => {
    const breaker = warning();
    const look = tool('look', () => {
      breaker.observe({ kind: 'message', at: breaker.now(), agent: 'x', text: 'hm' });
      return 'seen';
    });
    const { agent, model } = assistant('bot', [callsTool('look'), 'Done'], {
      tools: [look],
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(model.calls[1]?.messages.at(-1)?.content).toMatch(NUDGE);
  });

  it('[NUD3] goes among the messages of an agent without a model that can be seen', async () => {
    const a = new Speaker('a', () => 'hm');
    const b = new Speaker('b', () => 'well');
    const team = new RoundRobinGroupChat([a, b], { maxTurns: 2 });
    guardTeam(team, warning());
    await team.run({ task: 'Go' });
    expect(b.received).toEqual([['Go', 'hm', expect.stringMatching(NUDGE)]]);
  });

  it('[NUD4] is kept from people, and from the model that chooses speakers', async () => {
    const prompts: string[] = [];
    const boss = new UserProxyAgent('boss', {
      inputFunc: (prompt) => {
        prompts.push(prompt);
        return 'ok';
      },
    });
    const a = new Speaker('a', () => 'hm');
    const b = new Speaker('b', () => 'well');
    const chooser = replay('a', 'boss', 'b');
    const team = new SelectorGroupChat([a, boss, b], { modelClient: chooser, maxTurns: 3 });
    guardTeam(team, warning());
    await team.run({ task: 'Go' });
    expect(prompts).toEqual(['Enter your response: ']);
    expect(b.received.flat().some((text) => NUDGE.test(text))).toBe(true);
    expect(chooser.calls.some(({ messages }) => NUDGE.test(String(messages.at(-1)?.content)))).toBe(
      false,
    );
  });

  it('[NUD4] is kept from code executors, which would look for code in it', async () => {
    const codeExecutor = scriptedExecutor();
    const approvalFunc = () => ({ approved: true, reason: '' });
    const runner = new CodeExecutorAgent('runner', { codeExecutor, approvalFunc });
    const b = new Speaker('b', () => 'well');
    const team = new RoundRobinGroupChat([new Speaker('a', () => 'hm'), runner, b], {
      maxTurns: 3,
    });
    guardTeam(team, warning(), { nudge: () => '```python\nprint(7)\n```' });
    await team.run({ task: 'Go' });
    expect(codeExecutor.ran).toEqual([]);
    expect(b.received[0]?.at(-1)).toContain('print(7)');
  });

  it('[NUD5] may be worded by the user', async () => {
    const a = new Speaker('a', () => 'hm');
    const team = new RoundRobinGroupChat([a], { maxTurns: 2 });
    guardTeam(team, warning(), { nudge: ({ kind }) => `Mind the ${kind}` });
    await team.run({ task: 'Go' });
    expect(a.received[1]).toEqual(['Mind the custom:word']);
  });

  it('[NUD6] of a run that is over is not told in the next', async () => {
    const a = new Speaker('a', () => 'hm');
    const team = new RoundRobinGroupChat([a], { maxTurns: 1 });
    guardTeam(team, warning());
    await team.run({ task: 'Go' });
    await team.run({ task: 'Again' });
    expect(a.received[1]).toEqual(['Again']);
  });
});
