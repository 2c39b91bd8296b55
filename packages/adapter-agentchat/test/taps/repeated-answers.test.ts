import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, MemoryBudgetStore } from '@teamfuse/core';
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';

const SENTENCE = 'I will check the file once more. ';
const PIECES = 1_000;
const same = (): string => SENTENCE;
const other = (i: number): string => `I will check file ${i} once more. `;

/** A server on the loopback that speaks OpenAI's protocol, and streams these pieces until its client leaves. */
async function streaming(piece: (i: number) => string) {
  const heard = { sent: 0, wasLeft: false };
  const server = createServer(async (_request, response) => {
    response.once('close', () => {
      heard.wasLeft = !response.writableFinished;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (fields: object): boolean =>
      response.write(`data: ${JSON.stringify({ id: '1', model: 'gpt-4o', ...fields })}\n\n`);
    while (heard.sent < PIECES && !response.destroyed) {
      write({ choices: [{ index: 0, delta: { content: piece(heard.sent++) } }] });
      await new Promise((resolve) => setImmediate(resolve));
    }
    write({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    write({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 9_000 } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const model = new OpenAIChatCompletionClient({
    model: 'gpt-4o',
    baseURL: `http://127.0.0.1:${port}/v1`,
    apiKey: 'none',
    maxRetries: 0,
  });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { model, heard, [Symbol.asyncDispose]: stop };
}

/** How a guarded team ends whose model streams these pieces. */
async function run(piece: (i: number) => string) {
  await using endpoint = await streaming(piece);
  const { model, heard } = endpoint;
  const agent = new AssistantAgent('writer', { modelClient: model, modelClientStream: true });
  const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
  const store = new MemoryBudgetStore();
  const breaker = new Breaker({ budget: { maxTokens: 1_000_000, store } });
  guardTeam(team, breaker, { judge: false });
  const result = await team.run({ task: 'Talk.' });
  if (breaker.stopped.length > 0) await expect.poll(() => heard.wasLeft).toBe(true);
  return { heard, breaker, result, spent: store.totals() };
}

describe('an answer that has come to repeat itself', () => {
  it('[MDL8] is cut off: the connection is closed, what came is booked, and the team ends with the reason', async () => {
    const { heard, breaker, result, spent } = await run(same);
    expect(heard.sent).toBeLessThan(PIECES);
    expect(breaker.stopped[0]?.trip?.kind).toBe('repetition');
    expect(result.stopReason).toMatch(/^writer repeated the same text \d+ times in one answer/);
    expect(spent.reserved.tokens).toBe(0);
    expect(spent.spent.tokens).toBeGreaterThan(1_500);
    expect(spent.spent.tokens).toBeLessThan(3_000);
  });

  it('[MDL8] passes where each time says something else', async () => {
    const { heard, breaker, result, spent } = await run(other);
    const said = Array.from({ length: PIECES }, (_, i) => other(i)).join('');
    expect(result.messages.at(-1)?.toText() === said).toBe(true);
    expect([heard.sent, heard.wasLeft, breaker.stopped]).toEqual([PIECES, false, []]);
    expect(spent.spent.tokens).toBe(9_010);
  });
});
