import {
  AssertionError,
  BufferedChatCompletionContext,
  KeyError,
  ModelClientStreamingChunkEvent,
  RuntimeError,
  SelectorGroupChat,
  type SelectorGroupChatOptions,
  type Team,
  UnboundedChatCompletionContext,
  ValueError,
} from '@teamfuse/agentchat';
import { type ModelInfo, ReplayChatCompletionClient, type Reply } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { ScriptedAgent, transcript } from './scripted-agent.ts';

const info: ModelInfo = {
  vision: false,
  functionCalling: false,
  jsonOutput: false,
  structuredOutput: false,
  family: 'gpt-4o',
};

function team(
  replies: readonly Reply[],
  options: Partial<SelectorGroupChatOptions> = {},
  modelInfo: ModelInfo = info,
): { team: SelectorGroupChat; client: ReplayChatCompletionClient } {
  const client = new ReplayChatCompletionClient(replies, { modelInfo });
  const members = ['alice', 'bob', 'carol'].map((name) => new ScriptedAgent(name, name));
  const selectorPrompt = '{roles}|{participants}|{history}';
  const made = new SelectorGroupChat(members, {
    modelClient: client,
    selectorPrompt,
    maxTurns: 1,
    ...options,
  });
  return { team: made, client };
}

async function speakers(chat: Team): Promise<readonly string[]> {
  return (await chat.run()).messages.map(({ source }) => source);
}

describe('choosing by a function', () => {
  it('[CHO1] takes its choice without asking the model', async () => {
    const { team: chat, client } = team([], { selectorFunc: () => 'bob', maxTurns: 2 });
    expect(await speakers(chat)).toEqual(['bob', 'bob']);
    expect(client.calls).toEqual([]);
  });

  it('[CHO1] does not remember its choice as the previous speaker', async () => {
    const choices = ['alice', null];
    const { team: chat, client } = team(['alice'], {
      selectorFunc: async () => choices.shift(),
      maxTurns: 2,
    });
    expect(await speakers(chat)).toEqual(['alice', 'alice']);
    expect(client.calls[0]?.messages[0]?.content).toContain("['alice', 'bob', 'carol']");
  });

  it('[CHO1] refuses the choice of an unknown name', async () => {
    const { team: chat } = team([], { selectorFunc: () => 'zoe' });
    await expect(chat.run({ task: 'go' })).rejects.toThrow(
      new ValueError(
        "Selector function returned an invalid speaker name: zoe. Expected one of: ['alice', 'bob', 'carol'].",
      ),
    );
  });

  it('[CHO1] gives it everything said and seen so far', async () => {
    const threads: (readonly string[])[] = [];
    const { team: chat } = team([], {
      maxTurns: 2,
      selectorFunc: (thread) => {
        threads.push(transcript(thread));
        return 'bob';
      },
    });
    await chat.run({ task: 'go' });
    expect(threads).toEqual([['user: go'], ['user: go', 'bob: bob']]);
  });
});

describe('candidates', () => {
  it('[CHO2] are all but the previous speaker', async () => {
    const { team: chat, client } = team(['alice', 'bob'], { maxTurns: 2 });
    expect(await speakers(chat)).toEqual(['alice', 'bob']);
    expect(client.calls[1]?.messages[0]?.content).toContain("['bob', 'carol']");
  });

  it('[CHO2] are all where repeats are allowed', async () => {
    const { team: chat } = team(['alice', 'alice'], { maxTurns: 2, allowRepeatedSpeaker: true });
    expect(await speakers(chat)).toEqual(['alice', 'alice']);
  });

  it('[CHO2] of one need no model', async () => {
    const { team: chat, client } = team([], { candidateFunc: () => ['carol'] });
    expect(await speakers(chat)).toEqual(['carol']);
    expect(client.calls).toEqual([]);
  });

  it.each<[readonly string[], string]>([
    [[], 'Candidate function must return a non-empty list of participant names.'],
    [
      ['alice', 'zoe'],
      "Candidate function returned invalid participant names: ['alice', 'zoe']. Expected one of: ['alice', 'bob', 'carol'].",
    ],
  ])('[CHO2] cannot be %j', async (candidates, message) => {
    const { team: chat } = team([], { candidateFunc: async () => candidates });
    await expect(chat.run({ task: 'go' })).rejects.toThrow(new ValueError(message));
  });

  it('[CHO2] do not keep the model from naming another participant', async () => {
    const { team: chat } = team(['carol'], { candidateFunc: () => ['alice', 'bob'] });
    expect(await speakers(chat)).toEqual(['carol']);
  });
});

describe('asking the model', () => {
  it.each([
    ['It is **bob**, then bob again', 'bob'],
    ["carol's turn, not bobby's", 'carol'],
  ])('[CHO3] finds the one name in %j', async (answer, name) => {
    expect(await speakers(team([answer]).team)).toEqual([name]);
  });

  it('[CHO4] says what was wrong with an answer, and takes a later one', async () => {
    const { team: chat, client } = team(['nobody', 'alice or bob', 'bob']);
    expect(await speakers(chat)).toEqual(['bob']);
    const names = "['alice', 'bob', 'carol']";
    expect(client.calls[2]?.messages.slice(1)).toEqual([
      { type: 'AssistantMessage', content: 'nobody', source: 'selector' },
      {
        type: 'UserMessage',
        content: `No valid name was mentioned. Please select from: ${names}.`,
        source: 'user',
      },
      { type: 'AssistantMessage', content: 'alice or bob', source: 'selector' },
      {
        type: 'UserMessage',
        content: `Expected exactly one name to be mentioned. Please select only one from: ${names}.`,
        source: 'user',
      },
    ]);
  });

  it('[CHO4] refuses the previous speaker, then lets it go on', async () => {
    const replies = ['alice', 'alice', 'alice', 'alice'];
    const { team: chat, client } = team(replies, { maxTurns: 2 });
    expect(await speakers(chat)).toEqual(['alice', 'alice']);
    expect(client.calls).toHaveLength(4);
    expect(client.calls[2]?.messages.at(-1)?.content).toMatch(/^Repeated speaker is not allowed/);
  });

  it('[CHO4] falls back to the first candidate, at once when it may not ask', async () => {
    const { team: chat, client } = team([], { maxSelectorAttempts: 0 });
    expect(await speakers(chat)).toEqual(['alice']);
    expect(client.calls).toEqual([]);
  });

  it.each([
    ['gpt-4o', 'SystemMessage'],
    ['claude-3', 'UserMessage'],
    ['unknown', 'UserMessage'],
  ])('[CHO5] of family %s by a %s', async (family, type) => {
    const { team: chat, client } = team(['bob'], {}, { ...info, family });
    await chat.run({ task: 'go' });
    expect(client.calls[0]?.messages[0]).toMatchObject({
      type,
      content:
        "alice: alice follows a script\nbob: bob follows a script\ncarol: carol follows a script|['alice', 'bob', 'carol']|user: go\n\n",
    });
  });

  it('[CHO5] shows as much of the conversation as the context lets through', async () => {
    const modelContext = new BufferedChatCompletionContext({ bufferSize: 1 });
    const { team: chat, client } = team(['bob', 'alice'], { maxTurns: 2, modelContext });
    await chat.run({ task: 'go' });
    expect(client.calls[1]?.messages[0]?.content).toMatch(/\|bob: bob\n\n$/);
  });

  it('[MSG7] fails on a prompt with a field that does not exist', async () => {
    const { team: chat } = team([], { selectorPrompt: '{nothing}' });
    await expect(chat.run({ task: 'go' })).rejects.toThrow(new KeyError("'nothing'"));
  });

  it('[CHO3] fails on an answer that asks for tools', async () => {
    const calls = [{ id: '1', name: 'f', arguments: '{}' }];
    const { team: chat } = team([{ content: calls }]);
    await expect(chat.run({ task: 'go' })).rejects.toThrow(AssertionError);
  });

  it('[TEAM8] fails the run when the model fails later', async () => {
    const { team: chat } = team(['bob', new TypeError('no network')], { maxTurns: 2 });
    await expect(chat.run({ task: 'go' })).rejects.toThrow(
      new RuntimeError('TypeError: no network'),
    );
  });

  it('[CHO6] streams its answer to those who follow the team’s events', async () => {
    const options = { modelClientStreaming: true, emitTeamEvents: true };
    const { team: chat } = team(['it is bob'], options);
    const items: string[] = [];
    for await (const item of chat.runStream({ task: 'go' })) {
      if ('source' in item) items.push(`${item.type} ${item.toText()}`);
    }
    expect(items).toEqual([
      'TextMessage go',
      'ModelClientStreamingChunkEvent it ',
      'ModelClientStreamingChunkEvent is ',
      'ModelClientStreamingChunkEvent bob',
      'SelectorEvent it is bob',
      "SelectSpeakerEvent ['bob']",
      'TextMessage bob',
    ]);
  });

  it('[CHO6] streams chunks of a later choice while the choice is being made', async () => {
    const options = { modelClientStreaming: true, emitTeamEvents: true, maxTurns: 2 };
    const { team: chat, client } = team(['bob', 'it is alice'], options);
    const stream = chat.runStream({ task: 'go' });
    let chunk: unknown;
    while (client.calls.length < 2) chunk = (await stream.next()).value;
    expect(chunk).toBeInstanceOf(ModelClientStreamingChunkEvent);
    await stream.return();
  });

  it('[CHO6] shows nothing of it otherwise', async () => {
    const { team: chat } = team(['it is bob'], { modelClientStreaming: true });
    expect(await speakers(chat)).toEqual(['bob']);
  });

  it('[DEV21] can be cancelled with the run', async () => {
    const { team: chat, client } = team(['bob', 'alice'], { maxTurns: 2 });
    const cancellation = new AbortController();
    await chat.run({ task: 'go', signal: cancellation.signal });
    expect(client.calls[1]?.options.signal?.aborted).toBe(false);
    cancellation.abort();
    const run = chat.run({ task: 'go', signal: cancellation.signal });
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('the state of a selector team', () => {
  it('[STATE2] holds the previous speaker and rebuilds what the model had seen', async () => {
    const { team: first } = team(['bob']);
    await first.run({ task: 'go' });
    const { team: second, client } = team(['carol']);
    await second.loadState(await first.saveState());
    await second.run();
    const prompt = client.calls[0]?.messages[0]?.content;
    expect(prompt).toContain("['alice', 'carol']");
    expect(prompt).toMatch(/user: go\n\n\nbob: bob\n\n$/);
  });

  it('[DEV7] replaces what the model had seen, and keeps what the context was made with', async () => {
    const modelContext = new UnboundedChatCompletionContext({
      initialMessages: [{ type: 'UserMessage', content: 'house rules', source: 'user' }],
    });
    const { team: chat, client } = team(['bob', 'carol'], { modelContext });
    await chat.run({ task: 'go' });
    await chat.loadState(await chat.saveState());
    await chat.run();
    expect(client.calls[1]?.messages[0]?.content).toMatch(
      /\|user: house rules\n\n\nuser: go\n\n\nbob: bob\n\n$/,
    );
  });

  it('[CHO2] is forgotten by reset', async () => {
    const { team: chat, client } = team(['bob', 'bob']);
    await chat.run({ task: 'go' });
    await chat.reset();
    await chat.run({ task: 'new' });
    const prompt = client.calls[1]?.messages[0]?.content;
    expect(prompt).toMatch(/\['alice', 'bob', 'carol'\]\|user: new\n\n$/);
  });
});
