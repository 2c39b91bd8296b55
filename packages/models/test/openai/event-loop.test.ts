import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loopDelay } from '../../../../test/loop-delay.ts';
import { type ModelClientError, OpenAIChatCompletionClient } from '../../src/index.ts';

const SERVE = fileURLToPath(new URL('../support/serve-endpoint.js', import.meta.url));
const MESSAGES = [{ type: 'UserMessage', content: 'hello', source: 'user' }] as const;

/** A server in its own process, so that only the client's work is measured. */
async function served(name: string) {
  const process_ = spawn(process.execPath, [SERVE, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(process_.stdout, 'data');
  const client = new OpenAIChatCompletionClient({
    model: 'gpt-4o',
    baseURL: `http://127.0.0.1:${Number(port)}/v1`,
    apiKey: 'none',
    maxRetries: 0,
    timeoutMs: 1_500,
  });
  return { client, [Symbol.dispose]: () => void process_.kill('SIGKILL') };
}

async function failure(client: OpenAIChatCompletionClient, isStream: boolean): Promise<string> {
  try {
    if (!isStream) await client.create(MESSAGES);
    else for await (const _ of client.createStream(MESSAGES));
  } catch (error) {
    return (error as ModelClientError).code;
  }
  return 'none';
}

// Sharing the processor with other programs costs time that is not this one's.
describe('a server that would keep the process busy', { retry: 3 }, () => {
  test.each([
    ['streams a word without end', true, ['BAD_RESPONSE']],
    ['floods with events', true, ['BAD_RESPONSE', 'TIMEOUT']],
    ['streams words without end', true, ['TIMEOUT']],
    ['drips a stream without a word', true, ['TIMEOUT']],
    ['sends a whole stream and leaves it open', true, ['TIMEOUT']],
    ['sends an answer without end', false, ['BAD_RESPONSE', 'TIMEOUT']],
    ['sends an error without end', false, ['BAD_REQUEST', 'TIMEOUT']],
    ['drips its headers', false, ['TIMEOUT']],
    ['drips its body', false, ['TIMEOUT']],
    ['promises more bytes than it sends', false, ['TIMEOUT']],
  ])('[MER11] %s: leaves the process free', async (name, isStream, codes) => {
    using server = await served(name);
    let code = '';
    const { p99, max } = await loopDelay(async () => {
      code = await failure(server.client, isStream);
    });
    console.info(`${name}: ${code}, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`);
    expect(codes).toContain(code);
    expect(p99).toBeLessThan(50);
  });

  test('[MER11] would be noticed', async () => {
    const { p99 } = await loopDelay(async () => {
      for (let i = 0; i < 3; i++) {
        const from = process.cpuUsage();
        while (process.cpuUsage(from).user < 200_000);
        await delay(1);
      }
    });
    expect(p99).toBeGreaterThan(50);
  });
});
