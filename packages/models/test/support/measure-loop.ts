import { setTimeout as delay } from 'node:timers/promises';
import { loopDelay } from '../../../../test/loop-delay.ts';
import { type ModelClientError, OpenAIChatCompletionClient } from '../../src/index.ts';

// Asks an endpoint, in a process of its own, and prints how it failed and how late the event loop was meanwhile; if that was
// late, also how late it is on this machine when the same is fetched and thrown away. Without an endpoint it keeps the process
// busy itself.
const [port, isStream] = process.argv.slice(2);
const MESSAGES = [{ type: 'UserMessage', content: 'hello', source: 'user' }] as const;

async function ask(at: number): Promise<string> {
  const client = new OpenAIChatCompletionClient({
    model: 'gpt-4o',
    baseURL: `http://127.0.0.1:${at}/v1`,
    apiKey: 'none',
    maxRetries: 0,
    timeoutMs: 1_500,
  });
  try {
    if (isStream === 'false') await client.create(MESSAGES);
    else for await (const _ of client.createStream(MESSAGES));
  } catch (error) {
    return (error as ModelClientError).code;
  }
  return 'none';
}

async function fetchOnly(): Promise<void> {
  const signal = AbortSignal.timeout(1_500);
  try {
    const { body } = await fetch(`http://127.0.0.1:${Number(port)}/`, { method: 'POST', signal });
    for await (const _ of body ?? []);
  } catch {}
}

async function block(): Promise<string> {
  for (let i = 0; i < 3; i++) {
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < 200_000);
    await delay(1);
  }
  return 'blocked';
}

/** Nothing listens here. */
const NO_PORT = 1;

// What the first request loads is not the server's doing.
if (port !== undefined) await ask(NO_PORT);
let code = '';
const delays = await loopDelay(async () => {
  code = await (port === undefined ? block() : ask(Number(port)));
});
const isLate = port !== undefined && delays.p99 >= 50;
const usual = isLate ? (await loopDelay(fetchOnly)).p99 : 0;
console.log(JSON.stringify({ code, usual, ...delays }));
