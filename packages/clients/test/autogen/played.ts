import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { serve } from '@hono/node-server';
import { Breaker, type Trip } from '@teamfuse/core';
import { createGateway } from '@teamfuse/wire/gateway';
import type { RecordedCall, RecordedRun } from './recorded-runs.ts';

const SCRIPT = fileURLToPath(new URL('play.py', import.meta.url));

/** How the runs went through a gateway. */
export interface Played {
  readonly breaker: Breaker;
  /** What the endpoint served. */
  readonly served: { readonly input: number; readonly output: number };
  /** The status of each answer, by run. */
  readonly statuses: ReadonlyMap<string, readonly number[]>;
  /** What stopped conversations of a run, by run. */
  readonly trips: ReadonlyMap<string, readonly Trip['kind'][]>;
}

/** Has a program in Python play the model calls of runs through a gateway, to an endpoint that answers as recorded. */
export async function playThroughGateway(runs: readonly RecordedRun[]): Promise<Played> {
  const { endpoint, served } = recordedEndpoint(runs);
  const trips = new Map<string, Trip['kind'][]>();
  let playing = '';
  const breaker = new Breaker();
  breaker.on('trip', ({ kind }) => trips.set(playing, [...(trips.get(playing) ?? []), kind]));
  const gateway = createGateway({ upstream: await listening(endpoint), breaker });
  const server = serve({
    fetch: (request) => {
      playing = String(request.headers.get('x-recorded')).split('/')[0] ?? '';
      return gateway.fetch(request);
    },
    port: 0,
    hostname: '127.0.0.1',
  }) as Server;
  const statuses = await playedBy(runs, `${await listening(server)}/v1`);
  for (const one of [server, endpoint]) {
    one.closeAllConnections();
    one.close();
  }
  return { breaker, served, statuses, trips };
}

/** An endpoint that answers the calls of runs as recorded, and counts what it serves. */
function recordedEndpoint(runs: readonly RecordedRun[]) {
  const calls = new Map(
    runs.flatMap(({ id, calls }) =>
      calls.map((call, i): [string, RecordedCall] => [`${id}/${i}`, call]),
    ),
  );
  const served = { input: 0, output: 0 };
  const endpoint = createServer(async (request, response) => {
    const at = String(request.headers['x-recorded']);
    const call = calls.get(at) as RecordedCall;
    const isAsRecorded = isDeepStrictEqual(await json(request), call.request);
    served.input += call.usage.input;
    served.output += call.usage.output;
    const status = isAsRecorded ? (call.answer ? 200 : 500) : 400;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answerOf(at, call)));
  });
  return { endpoint, served };
}

/** The status of each answer that the program in Python got, by run. */
async function playedBy(runs: readonly RecordedRun[], url: string): Promise<Played['statuses']> {
  const env = { ...process.env, OPENAI_BASE_URL: url };
  const python = spawn('python3', [SCRIPT], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  for (const { id, calls } of runs) {
    const requests = calls.map(({ request }) => request);
    python.stdin.write(`${JSON.stringify({ id, requests })}\n`);
  }
  python.stdin.end();
  const lines = (await text(python.stdout)).trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, statuses }) => [id, statuses]));
}

async function listening(server: Server): Promise<string> {
  if (!server.listening) {
    if (server.address() === null) server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answerOf(id: string, { answer, usage: { input, output } }: RecordedCall): object {
  if (answer === undefined) return { error: { message: 'the model failed' } };
  return {
    id,
    object: 'chat.completion',
    choices: [{ index: 0, message: answer, finish_reason: 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: output },
  };
}
