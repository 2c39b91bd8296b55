import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AgentServer, CALLS, kindOf, POOR_CALLS, ROUNDS } from './serve.js';

const CLIENT = fileURLToPath(new URL('client.js', import.meta.url));
const MB = 2 ** 20;
/** What the heap may differ by between two rounds of the same, once a breaker keeps as many conversations as it may. */
const MORE_MB = 10;
const KEPT = 1_000;

/** Lets many tenants make many requests at once, twice. Returns what is wrong. */
export async function runTenants({ core, tenants, requests, print, gc = globalThis.gc }) {
  const server = new AgentServer(core, tenants, requests);
  const port = await server.listen();
  const wrong = [];
  const heaps = [];
  const measure = async () => {
    // What a job has looked at lives until its end.
    await new Promise((resolve) => setTimeout(resolve));
    gc?.();
    heaps.push(process.memoryUsage().heapUsed / MB);
    return `heap ${heaps.at(-1).toFixed(1)} MB`;
  };
  print(`before: ${await measure()}`);
  for (let round = 1; round <= ROUNDS; round++) {
    const started = performance.now();
    const told = await answersOf(port, tenants, requests);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    wrong.push(...problems(server, told, requests, round));
    print(
      `round ${round}: ${told.length} tenants x ${requests} requests at once (${server.most} under way), ${server.trips.length} trips, ${seconds} s`,
    );
    server.breaker.reset();
    server.renew();
    print(`after round ${round}: ${await measure()}`);
  }
  await server.close();
  const [, first, second] = heaps;
  if (gc !== undefined && tenants * requests > KEPT && second > first + MORE_MB) {
    wrong.push(`the heap grew from ${first.toFixed(1)} to ${second.toFixed(1)} MB`);
  }
  for (const line of wrong.slice(0, 20)) print(`wrong: ${line}`);
  print(
    wrong.length === 0 ? 'no tenant saw the trip of another' : `${wrong.length} things are wrong`,
  );
  return wrong;
}

function answersOf(port, tenants, requests) {
  const client = fork(CLIENT, [port, tenants, requests].map(String), { execArgv: [] });
  return new Promise((resolve, reject) => {
    client.once('message', resolve);
    client.once('error', reject);
    client.once('exit', (code) => code !== 0 && reject(new Error(`the client ended with ${code}`)));
  });
}

const TRIPS = { loops: 'repetition', 'is poor': 'budget', 'is stopped': 'manual' };

/** What each kind of tenant has to be told, and which trips there may be. The money of the poor has to do for all rounds. */
function problems(server, told, requests, round) {
  const wrong = [];
  const expected = {
    works: { '200 done': requests },
    loops: { '503 repetition': requests },
    'is stopped': { '403 manual': requests },
  };
  for (const [tenant, answers] of told.entries()) {
    const kind = kindOf(tenant);
    const served = server.served.get(`t${tenant}`) ?? 0;
    if (kind === 'is poor') {
      const may = Math.min(POOR_CALLS, CALLS * requests * round);
      const unknown = Object.keys(answers).filter(
        (one) => one !== '200 done' && one !== '402 budget',
      );
      if (unknown.length > 0) wrong.push(`t${tenant}, which ${kind}, got ${unknown}`);
      if (served !== may) wrong.push(`t${tenant} made ${served} calls instead of ${may}`);
    } else if (JSON.stringify(answers) !== JSON.stringify(expected[kind])) {
      wrong.push(`t${tenant}, which ${kind}, got ${JSON.stringify(answers)}`);
    }
  }
  for (const { conversation, kind } of server.trips) {
    const [, number] = /^user:t(\d+)\//.exec(conversation) ?? [];
    const whose = kindOf(Number(number));
    if (TRIPS[whose] !== kind)
      wrong.push(`${conversation}, which ${whose}, was stopped by ${kind}`);
  }
  return wrong;
}
