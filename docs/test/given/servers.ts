import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Http2SecureServer, Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import {
  type CreateOptions,
  type CreateResult,
  ReplayChatCompletionClient,
} from '@teamfuse/models';
import { ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

/** The model of a team that takes its time: when it was asked, and when it was given up. */
class SlowClient extends ReplayChatCompletionClient {
  override create(_messages: unknown, { signal }: CreateOptions = {}): Promise<CreateResult> {
    asked();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        givenUp('given up');
        reject(signal.reason);
      });
    });
  }
}

let asked = (): void => {};
let givenUp = (_: string): void => {};
export const slowBegan: Promise<void> = new Promise((resolve) => {
  asked = resolve;
});
export const slowEnded: Promise<string> = new Promise((resolve) => {
  givenUp = resolve;
});

/** A team as servers make one for each request: it works, goes in circles, or takes its time. */
export function newTeam(task: string): RoundRobinGroupChat {
  const says = (i: number): string => (task.includes('circles') ? 'After you.' : `Fact ${i}.`);
  const replies = Array.from({ length: 20 }, (_, i) => says(i));
  const isSlow = task.includes('slowly');
  const modelClient = new (isSlow ? SlowClient : ReplayChatCompletionClient)(replies, {
    model: 'gpt-4o',
  });
  const agents = ['writer', 'critic'].map((name) => new AssistantAgent(name, { modelClient }));
  return new RoundRobinGroupChat(agents, { maxTurns: task.includes('circles') ? 20 : 2 });
}

/** What a server has to tell its clients, one of which leaves. */
export const TOLD: readonly string[] = [
  '200 Fact 1.',
  '503 speaker-cycle or repetition',
  "402 the next call would exceed the budget of user 'guest' for",
  '401 who are you?',
  'given up',
];

/** What it tells them. Closes it. */
export async function told(server: Server | Http2Server | Http2SecureServer): Promise<string[]> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (task: string, user?: string, signal?: AbortSignal): Promise<Response> => {
    const headers = { 'content-type': 'text/plain', ...(user && { 'x-user': user }) };
    const url = `http://127.0.0.1:${port}/ask`;
    return fetch(url, { method: 'POST', body: task, headers, ...(signal && { signal }) });
  };
  const answers: string[] = [];
  for (const [task, user] of [
    ['Write about tides.', 'ann'],
    ['Go in circles.', 'ann'],
    ['Write about tides.', 'guest'],
    ['Write about tides.', undefined],
  ] as const) {
    const response = await ask(task, user);
    answers.push(
      `${response.status} ${shortened((await response.json()) as Readonly<Record<string, string>>)}`,
    );
  }
  const leaving = new AbortController();
  const left = ask('Write slowly.', 'bob', leaving.signal).catch(() => undefined);
  await slowBegan;
  leaving.abort();
  answers.push(await slowEnded);
  await left;
  // Some servers keep the connections of their clients for more than a minute.
  if ('closeAllConnections' in server) server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return answers;
}

function shortened({ text, reason, error }: Readonly<Record<string, string>>): string {
  if (text !== undefined)
    return (
      text
        .split('\n')
        .at(-1)
        ?.match(/Fact 1\./)?.[0] ?? text
    );
  if (reason !== undefined) return reason.replace(/ for .*/, ' for');
  return error === 'speaker-cycle' || error === 'repetition'
    ? 'speaker-cycle or repetition'
    : `${error}`;
}

/** An agent that is made once and serves everybody. */
export const clerk = new ToolLoopAgent({
  id: 'clerk',
  model: new MockLanguageModelV4({
    modelId: 'gpt-4o',
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'twice a day' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 99, text: 99, reasoning: 0 },
      },
      warnings: [],
    }),
  }),
});
