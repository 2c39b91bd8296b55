import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Breaker } from '@teamfuse/core';
import { guardFetch } from '@teamfuse/wire';
import { createGateway } from '@teamfuse/wire/gateway';
import { serve } from './serve.js';

const ROUNDS = 20;

/** A model that always calls the same tool. */
const model = createServer((request, response) => {
  request.resume();
  const call = { type: 'function', function: { name: 'search', arguments: '{"query":"tides"}' } };
  const message = { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', ...call }] };
  const usage = { prompt_tokens: 9, completion_tokens: 3 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ index: 0, message }], usage }));
});
await once(model.listen(0, '127.0.0.1'), 'listening');
const upstream = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;

/** Works for as long as it gets answers. Returns how many those were. */
async function work(ask: typeof fetch, baseUrl: string): Promise<number> {
  const messages: object[] = [{ role: 'user', content: 'When is high tide?' }];
  for (let round = 0; round < ROUNDS; round++) {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    const response = await ask(`${baseUrl}/chat/completions`, { method: 'POST', body });
    const answer = (await response.json()) as { choices: { message: object }[] };
    if (response.status === 402) return round;
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'no hits' };
    messages.push(...answer.choices.map(({ message }) => message), result);
  }
  return ROUNDS;
}

const guarded = await work(guardFetch(new Breaker()), `${upstream}/v1`);

const served = await serve(createGateway({ upstream, breaker: new Breaker() }).fetch);
const own = await work(fetch, `http://127.0.0.1:${served.port}/v1`);
await served.stop();

const teamfuse = 'node_modules/@teamfuse/cli/dist/bin.js';
const args = [teamfuse, 'gateway', '--upstream', upstream, '--port', '0', '--no-policy'];
const gateway = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const closed = once(gateway, 'close');
const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string];
const behind = await work(fetch, line.replace('OPENAI_BASE_URL=', ''));
process.kill(gateway.pid as number, 'SIGTERM');
const [exitCode] = await closed;
model.close();

const counts = `${guarded} calls, behind a gateway of its own after ${own}, behind teamfuse after ${behind}`;
console.log(`refused after ${counts}, exit ${exitCode}`);
process.exitCode = Math.max(guarded, own, behind) < ROUNDS && exitCode === 0 ? 0 : 1;
