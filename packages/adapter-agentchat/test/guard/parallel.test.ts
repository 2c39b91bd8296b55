import { type BaseChatAgent, DiGraphBuilder, GraphFlow } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, Speaker, tool } from '../support/agents.ts';
import { ofKind, recorded } from '../support/signals.ts';

function sideBySide(...agents: BaseChatAgent[]): GraphFlow {
  const builder = new DiGraphBuilder();
  for (const agent of agents) builder.addNode(agent);
  return new GraphFlow(agents, { graph: builder.build() });
}

/** A promise and what settles it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('branches that run at the same time', () => {
  it('[GRD13] are all seen, the ones no condition is shown too', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const team = sideBySide(
      ...['a', 'b', 'c'].map((name) => new Speaker(name, () => `I am ${name}`)),
    );
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'message').map(({ agent }) => agent)).toEqual(['a', 'b', 'c']);
  });

  it('[GRD13] are all stopped when one of them trips the breaker', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const { opened, open } = gate();
    const { agent, model } = assistant('bot', [callsTool('wait'), callsTool('wait'), 'Done'], {
      tools: [tool('wait', () => opened.then(() => 'waited'))],
      maxToolIterations: 3,
    });
    breaker.on('trip', open);
    const team = sideBySide(agent, new Speaker('a', () => 'enough'));
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe(breaker.trip?.reason);
    expect(model.calls).toHaveLength(1);
    expect(messages.map((message) => message.source)).toContain('a');
  });

  it('[GRD13] of two runs on one breaker end with it, and are told apart', async () => {
    const breaker = new Breaker({ maxMessages: 4 });
    const signals = recorded(breaker);
    const teams = ['a', 'b'].map((name) =>
      sideBySide(
        new Speaker(`${name}1`, () => `${name}1`),
        new Speaker(`${name}2`, () => `${name}2`),
      ),
    );
    for (const team of teams) guardTeam(team, breaker);
    await Promise.all(teams.map((team) => team.run({ task: 'Go' })));
    expect(ofKind(signals, 'human-input')).toHaveLength(2);
    expect(ofKind(signals, 'message')).toHaveLength(4);
    expect(breaker.trip?.kind).toBe('limit');
  });

  it('[GRD13] cannot overshoot a budget together', async () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const usage = { promptTokens: 60, completionTokens: 0 };
    const crew = ['a', 'b', 'c'].map((name) => assistant(name, [{ content: name, usage }]));
    const team = sideBySide(...crew.map(({ agent }) => agent));
    guardTeam(team, breaker, { counter: { countMessages: () => 60 } });
    const { stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toContain('budget');
    expect(crew.flatMap(({ model }) => model.calls).length).toBeLessThanOrEqual(1);
    expect(breaker.cost.tokens).toBeLessThanOrEqual(100);
  });
});
