import {
  AssistantAgent,
  type ChatAgent,
  MessageFilterAgent,
  RoundRobinGroupChat,
  SelectorGroupChat,
  type Team,
} from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions, type Signal } from '@teamfuse/core';
import { OpenAIChatCompletionClient, type ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/index.ts';
import { replay, talker } from '../support/agents.ts';
import { ModelServer } from '../support/model-server.ts';

const STALE = JSON.stringify({ reason: 'They wait.', probability: 1 });
const TURNS = 12;

/** A model that says the same for ever: as a line of the team, and as a judge. */
function staleModel(): ReplayChatCompletionClient {
  const usage = { promptTokens: 1000, completionTokens: 100 };
  return replay(...Array.from({ length: 3 * TURNS }, () => ({ content: STALE, usage })));
}

/** The calls that a judge has made: its instructions come first. */
function questionsTo({ calls }: ReplayChatCompletionClient): number {
  return calls.filter(({ messages }) =>
    String(messages[0]?.content).startsWith('Does this team of AI agents go in circles'),
  ).length;
}

function watched(options: BreakerOptions = {}) {
  const breaker = new Breaker(options);
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  return { breaker, signals };
}

function pair(modelClient: ReplayChatCompletionClient) {
  const agents = ['a', 'b'].map((name) => new AssistantAgent(name, { modelClient }));
  return new RoundRobinGroupChat(agents, { maxTurns: TURNS });
}

/** Says the same again until the judge has been asked, and has answered. */
async function stall(breaker: Breaker): Promise<void> {
  for (let i = 0; i < TURNS && breaker.judged.questions === 0; i++) {
    const agent = 'ab'.charAt(i % 2);
    breaker.observe({ kind: 'message', at: 0, agent, text: 'Let us see, shall we?' });
  }
  await breaker.conversation().answered();
}

describe('the judge of a team', () => {
  it('[JDT1] asks the client that its agents share, past their taps', async () => {
    const { breaker, signals } = watched();
    const model = staleModel();
    const team = pair(model);
    guardTeam(team, breaker, { judge: true });
    const { stopReason } = await team.run({ task: 'Write' });
    expect(stopReason).toBe(
      "the judge is 100% sure that the team is going in circles: 'They wait.'",
    );
    const { questions } = breaker.judged;
    expect(questionsTo(model)).toBe(questions);
    expect(questions).toBeGreaterThan(0);
    const calls = model.calls.length - questions;
    expect(signals.filter(({ kind }) => kind === 'model-request')).toHaveLength(calls);
    expect(signals.filter(({ kind }) => kind === 'usage')).toHaveLength(calls);
  });

  /** A team of somebody without a model, and another member. */
  const besides = (member: ChatAgent | Team): Team =>
    new RoundRobinGroupChat([talker('somebody'), member], { maxTurns: TURNS });

  it.each<[string, (modelClient: ReplayChatCompletionClient) => Team]>([
    [
      'that selects',
      (modelClient) => new SelectorGroupChat([talker('a'), talker('b')], { modelClient }),
    ],
    [
      'of the first agent that has one',
      (modelClient) => besides(new AssistantAgent('b', { modelClient })),
    ],
    ['of an inner team', (modelClient) => besides(pair(modelClient))],
    [
      'of an agent that another one wraps',
      (modelClient) => {
        const wrappedAgent = new AssistantAgent('c', { modelClient });
        return besides(new MessageFilterAgent('b', { wrappedAgent, filter: { perSource: [] } }));
      },
    ],
  ])('[JDT2] asks the model %s', async (_, build) => {
    const { breaker } = watched();
    const model = staleModel();
    guardTeam(build(model), breaker, { judge: true });
    await stall(breaker);
    expect(questionsTo(model)).toBe(1);
  });

  it('[JDT2] is refused where nobody has a model, and nothing is tapped', () => {
    const { breaker } = watched();
    const team = besides(talker('b'));
    const { run } = team;
    expect(() => guardTeam(team, breaker, { judge: true })).toThrow(
      'cannot guard the team: judge: true asks a model of the team',
    );
    expect(team.run).toBe(run);
    expect(Object.hasOwn(team, 'run')).toBe(false);
  });

  it('[JDT3] asks another model through the same client, over HTTP', async () => {
    await using server = await ModelServer.start({
      large: 'I am about to begin.',
      'gpt-4o-mini': JSON.stringify({ reason: 'Nobody begins.', probability: 0.9 }),
    });
    const modelClient = new OpenAIChatCompletionClient({
      model: 'large',
      baseURL: server.url,
      apiKey: 'none',
    });
    const agents = ['a', 'b'].map((name) => new AssistantAgent(name, { modelClient }));
    const team = new RoundRobinGroupChat(agents, { maxTurns: TURNS });
    const { breaker, signals } = watched();
    guardTeam(team, breaker, { judge: 'gpt-4o-mini' });
    const { stopReason } = await team.run({ task: 'Write' });
    expect(stopReason).toContain('the judge is 90% sure');
    const asked = server.models.filter((name) => name === 'gpt-4o-mini').length;
    expect(asked).toBe(breaker.judged.questions);
    expect(breaker.judged.cost).toMatchObject({ unpricedTokens: 0 });
    expect(breaker.judged.cost.nanoUsd).toBeGreaterThan(0);
    const called = signals.filter(({ kind }) => kind === 'model-request');
    expect(server.models.length - asked).toBe(called.length);
  });

  it('[JDT3] is refused where the client cannot ask another one', () => {
    const { breaker } = watched();
    expect(() => guardTeam(pair(staleModel()), breaker, { judge: 'gpt-4o-mini' })).toThrow(
      "the client of 'a' cannot ask another model",
    );
  });
});
