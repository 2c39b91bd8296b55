import {
  MaxMessageTermination,
  RoundRobinGroupChat,
  SocietyOfMindAgent,
  StructuredMessage,
  type Termination,
  TextMentionTermination,
  TextMessage,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { ScriptedAgent } from '../teams/scripted-agent.ts';
import { ABLE, collect, lines, replay } from './scripts.ts';

function society(modelClient: ReplayChatCompletionClient, condition?: Termination) {
  const inner = new ScriptedAgent('in1', 'idea', 'other idea');
  const team = new RoundRobinGroupChat([inner, new ScriptedAgent('in2', 'doubt')], {
    maxTurns: 2,
    terminationCondition: condition ?? null,
  });
  return { inner, team, agent: new SocietyOfMindAgent('som', { team, modelClient }) };
}

const text = (content: string) => new TextMessage({ content, source: 'user' });

describe('SocietyOfMindAgent', () => {
  it('[SOM1] streams what the inner team says, and hands on none of it', async () => {
    const { agent } = society(replay('summary'));
    const { items, end } = await collect(agent.onMessagesStream([text('ask')]));
    expect(lines(items)).toEqual(['TextMessage(in1): idea', 'TextMessage(in2): doubt']);
    expect(end).toMatchObject({ innerMessages: [], chatMessage: { content: 'summary' } });
  });

  it('[SOM1] loses the inner items in run and keeps them in runStream', async () => {
    const { agent } = society(replay('one', 'two'));
    const { messages } = await agent.run({ task: 'ask' });
    const { items } = await collect(agent.runStream({ task: 'ask' }));
    expect(lines(messages)).toEqual(['TextMessage(user): ask', 'TextMessage(som): one']);
    expect(items).toHaveLength(4);
  });

  it('[SOM2] counts the final call alone', async () => {
    const { agent } = society(
      replay({ content: 'summary', usage: { promptTokens: 7, completionTokens: 2 } }),
    );
    const { chatMessage } = await agent.onMessages([text('ask')]);
    expect(chatMessage.modelsUsage).toEqual({ promptTokens: 7, completionTokens: 2 });
  });

  it('[SOM3] has no response to what stops the inner team at once, and calls no model', async () => {
    const modelClient = replay('never');
    const { agent } = society(modelClient, new MaxMessageTermination(1));
    const { chatMessage } = await agent.onMessages([text('ask')]);
    expect(chatMessage.toText()).toBe('No response.');
    expect(chatMessage.modelsUsage).toBeNull();
    expect(modelClient.calls).toHaveLength(0);
  });

  it('[SOM4] resets the inner team every time, its condition with it', async () => {
    const { agent, inner } = society(replay('one', 'two'));
    await agent.run({ task: 'first' });
    const { items } = await collect(agent.runStream({ task: 'second' }));
    expect(lines(items)).toContain('TextMessage(in1): idea');
    expect(inner.received[1]?.at(-1)).toBe('second');
  });

  it('[SOM5] passes earlier requests to the inner team from the second call on', async () => {
    const { agent, inner } = society(replay('one', 'two'));
    await agent.run({ task: 'first' });
    await agent.run({ task: 'second' });
    expect(inner.received).toEqual([['first'], ['relevant previous messages', 'second']]);
    expect(await agent.modelContext.getMessages()).toMatchObject([
      { content: 'first' },
      { content: 'second' },
    ]);
  });

  it.each([
    [true, 'SystemMessage'],
    [false, 'UserMessage'],
  ])(
    '[SOM6] frames the conversation; several system messages allowed: %s',
    async (multiple, type) => {
      const modelInfo = { ...ABLE, multipleSystemMessages: multiple };
      const modelClient = new ReplayChatCompletionClient(['summary'], { modelInfo });
      await society(modelClient).agent.run({ task: 'ask' });
      const messages = modelClient.calls[0]?.messages ?? [];
      expect(messages.map((message) => message.type)).toEqual([
        type,
        'UserMessage',
        'UserMessage',
        type,
      ]);
      expect(messages.slice(1, 3).map(({ content }) => content)).toEqual(['idea', 'doubt']);
    },
  );

  it('[SOM7] saves the state of the inner team and nothing else', async () => {
    const { agent, team } = society(replay('one'));
    expect(await agent.saveState()).toEqual({
      type: 'SocietyOfMindAgentState',
      version: '1.0.0',
      inner_team_state: await team.saveState(),
    });
    const copy = society(replay('two')).agent;
    await copy.loadState(await agent.saveState());
    expect(await copy.saveState()).toEqual(await agent.saveState());
  });

  it('[SOM8] lets the inner team go on when there is nothing new', async () => {
    const { agent, inner } = society(replay('one'));
    expect((await agent.run()).messages.at(-1)?.toText()).toBe('one');
    expect(inner.received).toEqual([[]]);
  });

  it('[SOM9] shows the condition of an outer team only the summary', async () => {
    const { agent } = society(replay('summary', 'summary'));
    const outer = new RoundRobinGroupChat([agent, new ScriptedAgent('last', 'end')], {
      maxTurns: 2,
      terminationCondition: new TextMentionTermination('idea'),
    });
    const { messages, stopReason } = await outer.run({ task: 'ask' });
    expect(stopReason).toBe('Maximum number of turns 2 reached.');
    expect(lines(messages)).toContain('TextMessage(in1): idea');
  });

  it('[SOM10] sums up structured messages by their JSON', async () => {
    const modelClient = replay('summary');
    const report = new StructuredMessage({
      content: { title: 'x' },
      contentName: 'Report',
      source: 'in1',
    });
    const speaker = new ScriptedAgent('in1', { chatMessage: report });
    Object.assign(speaker, { producedMessageTypes: [] });
    const team = new RoundRobinGroupChat([speaker], {
      maxTurns: 1,
      customMessageTypes: [{ type: report.type, load: () => report }],
    });
    await new SocietyOfMindAgent('som', { team, modelClient }).run({ task: 'ask' });
    expect(modelClient.calls[0]?.messages[1]?.content).toBe('{"title":"x"}');
  });
});
