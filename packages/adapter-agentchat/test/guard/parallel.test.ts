import {
  AssistantAgent,
  type BaseChatAgent,
  DiGraphBuilder,
  GraphFlow,
  RoundRobinGroupChat,
} from '@teamfuse/agentchat';
import { Breaker, type BudgetOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { CountingClient, NO_COUNTER } from '../../../models/test/support/counting-client.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, Speaker, talker, tool } from '../support/agents.ts';
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
    const breaker = new Breaker({ stopTexts: [{ text: 'enough' }] });
    const begun = gate();
    const tripped = gate();
    const wait = async (): Promise<string> => {
      begun.open();
      await tripped.opened;
      return 'waited';
    };
    const { agent, model } = assistant('bot', [callsTool('wait'), callsTool('wait'), 'Done'], {
      tools: [tool('wait', wait)],
      maxToolIterations: 3,
    });
    breaker.on('trip', tripped.open);
    const team = sideBySide(agent, new Speaker('a', () => begun.opened.then(() => 'enough')));
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(model.calls).toHaveLength(1);
    expect(messages.map((message) => message.source)).toContain('a');
  });

  it('[GRD16] of two runs at the same time have a conversation each', async () => {
    const breaker = new Breaker({ maxMessages: 4 });
    const seen: string[] = [];
    breaker.on('signal', ({ conversation, signal }) => {
      if (signal.kind === 'message') seen.push(`${conversation}: ${signal.agent}`);
    });
    const teams = ['a', 'b'].map((name) => sideBySide(talker(`${name}x`), talker(`${name}y`)));
    for (const team of teams) guardTeam(team, breaker);
    await Promise.all(teams.map((team) => team.run({ task: 'Go' })));
    expect(seen.sort()).toEqual([': ax', ': ay', 'team 2: bx', 'team 2: by']);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[GRD16] of two runs: a trip ends its own run alone', async () => {
    const breaker = new Breaker({ stopTexts: [{ text: 'a1' }] });
    const teams = ['a', 'b'].map(
      (name) => new RoundRobinGroupChat([talker(name), talker(`${name}x`)], { maxTurns: 4 }),
    );
    for (const team of teams) guardTeam(team, breaker);
    const [first, second] = await Promise.all(teams.map((team) => team.run({ task: 'Go' })));
    expect(first?.stopReason).toContain("the stop text 'a1' was said");
    expect(second?.stopReason).toContain('Maximum number of turns 4');
  });

  it('[GRD16] share one circuit with the scope of the breaker', async () => {
    const breaker = new Breaker({ stopTexts: [{ text: 'a1' }], scope: 'breaker' });
    const teams = ['a', 'b'].map(
      (name) => new RoundRobinGroupChat([talker(name), talker(`${name}x`)], { maxTurns: 40 }),
    );
    for (const team of teams) guardTeam(team, breaker);
    const results = await Promise.all(teams.map((team) => team.run({ task: 'Go' })));
    for (const { stopReason } of results)
      expect(stopReason).toContain("the stop text 'a1' was said");
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

describe('teams side by side whose calls have no known size', () => {
  const prices = { price: () => ({ nanoUsd: 1_000_000_000 }) };
  const CALLS = 20;

  async function together(budget: BudgetOptions, counter?: typeof NO_COUNTER) {
    const breaker = new Breaker({ budget });
    const modelClient = new CountingClient(CALLS);
    const reasons = await Promise.all(
      Array.from({ length: CALLS }, async (_, i) => {
        const agent = new AssistantAgent('bot', { modelClient });
        const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
        guardTeam(team, breaker, {
          prices,
          judge: false,
          onError() {},
          ...(counter && { counter }),
        });
        return (await team.run({ task: `Write chapter ${i}` })).stopReason;
      }),
    );
    return { modelClient, reasons: new Set(reasons), ...breaker.cost };
  }

  it.each([{ maxUsd: 5 }, { maxTokens: 5_000 }])(
    '[BUD20] make one at a time, up to the limit, where calls wait: %j',
    async (budget) => {
      const { modelClient, tokens } = await together({ ...budget, whenFull: 'wait' }, NO_COUNTER);
      expect(modelClient.atOnce).toBe(1);
      expect(modelClient.made).toBe(5);
      expect(tokens).toBe(5_000);
    },
  );

  it.each([{ maxUsd: 5 }, { maxTokens: 5_000 }])(
    '[BUD20] make one, and no second beside it: %j',
    async (budget) => {
      const { modelClient, reasons } = await together(budget, NO_COUNTER);
      expect(modelClient.made).toBe(1);
      expect([...reasons].join()).toContain('are both of unknown size');
    },
  );

  it('[BUD20] make them all at once where their size is known', async () => {
    const { modelClient, nanoUsd } = await together({ maxUsd: 50 });
    expect(modelClient.atOnce).toBe(CALLS);
    expect(nanoUsd).toBe(20_000_000_000);
  });
});
