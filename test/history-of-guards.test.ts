import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardTeam } from '../packages/adapter-agentchat/src/index.ts';
import { guardAgents } from '../packages/adapter-groupchat/src/index.ts';
import { AssistantAgent, RoundRobinGroupChat } from '../packages/autogen/agentchat/src/index.ts';
import { AssistantAgent as ChatAgent } from '../packages/autogen/groupchat/src/index.ts';
import { Breaker } from '../packages/core/src/index.ts';
import { ReplayChatCompletionClient } from '../packages/models/src/index.ts';
import { RepeatedFailureError } from '../packages/stores/src/history/index.ts';
import { FileHistoryStore } from '../packages/stores/src/index.ts';

const TASK = 'nightly report';
const USAGE = { promptTokens: 10, completionTokens: 10 };

describe('seven sessions on one file', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'teamfuse-history-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A session has everything of its own but the file. Its budget is too small for the whole task, so that it fails. */
  function session() {
    const client = new ReplayChatCompletionClient(
      Array.from({ length: 9 }, (_, at) => ({ content: `Finding ${at}`, usage: USAGE })),
    );
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const store = new FileHistoryStore(join(folder, 'runs.json'));
    return { client, breaker, history: { store, task: TASK, lastRuns: 6 } };
  }

  async function runTeam(): Promise<number> {
    const { client, breaker, history } = session();
    const agent = new AssistantAgent('bot', { modelClient: client });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 9 });
    guardTeam(team, breaker, { history });
    await team.run({ task: 'Report' });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    return client.calls.length;
  }

  async function runChat(): Promise<number> {
    const { client, breaker, history } = session();
    const [one, other] = ['a', 'b'].map(
      (name) => new ChatAgent({ name, systemMessage: 'Report.', llmConfig: { client } }),
    ) as [ChatAgent, ChatAgent];
    guardAgents([one, other], breaker, { history });
    await one.initiateChat(other, { message: 'Report', maxTurns: 9, silent: true });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    return client.calls.length;
  }

  it.each([
    ['a team', runTeam],
    ['a chat', runChat],
  ])('[ADP72] of which six failed alike: the seventh of %s is refused', async (_, run) => {
    for (let at = 0; at < 6; at++) expect(await run()).toBeGreaterThan(0);
    const refused = await run().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RepeatedFailureError);
    expect(String(refused)).toContain('nightly report');
  });
});
