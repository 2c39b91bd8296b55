// What it takes to admit a call and to settle it, for each store of budgets. `npm run bench:stores`; for more at once
// `npm run bench:stores -- --at-once 10`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HAS_POSTGRES, startPostgres } from '../servers/postgres-server.ts';
import { AT_ONCE, startReplicaOf } from '../servers/redis-replica.ts';
import { HAS_REDIS, startRedis } from '../servers/redis-server.ts';
import { CALL, OF_ONE_PROCESS, type Places, STORES, WARM_UP } from './stores.ts';

const WORKER = fileURLToPath(new URL('stores-worker.ts', import.meta.url));

const { values } = parseArgs({
  options: {
    /** Pairs of admission and settlement that each process makes. */
    pairs: { type: 'string', default: '300' },
    /** How many of them are under way in each process. */
    'at-once': { type: 'string', default: '1' },
    processes: { type: 'string', default: '1,2,4,8' },
    stores: { type: 'string', default: Object.keys(STORES).join('|') },
  },
});
const pairs = Number(values.pairs);
const atOnce = Number(values['at-once']);

/** What a process tells: the microseconds of each pair, and how often its server was asked. */
interface Report {
  readonly took: readonly number[];
  readonly trips?: number;
}

/** Starts as many processes, lets them begin together, and gives what each pair took and how long all of them took. */
async function run(name: string, places: Places, processes: number) {
  const args = (n: number): string[] =>
    [name, JSON.stringify(places), n, pairs, atOnce].map(String);
  const workers = Array.from({ length: processes }, (_, n) => fork(WORKER, args(n)));
  try {
    await Promise.all(workers.map((worker) => heard(worker)));
    const from = performance.now();
    const told = workers.map((worker) => heard(worker));
    for (const worker of workers) worker.send('go');
    const reports = (await Promise.all(told)) as readonly Report[];
    const took = reports.flatMap((one) => one.took);
    const trips = reports.reduce<number | undefined>(
      (all, one) => (all === undefined || one.trips === undefined ? undefined : all + one.trips),
      0,
    );
    const seconds = (performance.now() - from) / 1_000;
    await Promise.all(workers.map(ended));
    const perCall = trips === undefined ? undefined : trips / took.length;
    return { took: took.toSorted((a, b) => a - b), perSecond: took.length / seconds, perCall };
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
  }
}

async function heard(worker: ChildProcess): Promise<unknown> {
  const gone = once(worker, 'exit').then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  gone.catch(() => {});
  return Promise.race([once(worker, 'message').then(([told]) => told), gone]);
}

async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode === null) await once(worker, 'exit');
}

/** Every pair is in the books, and nothing is held. */
async function check(name: string, places: Places, expected: number): Promise<void> {
  const store = await STORES[name]?.(places);
  const books = await store?.books();
  await store?.close();
  if (books === undefined) return;
  const [spent, reserved] = books;
  if (spent === expected && reserved === 0) return;
  throw new Error(`${name}: ${spent} spent and ${reserved} held, where ${expected} was settled`);
}

const servers: { readonly stop: () => Promise<void> }[] = [];
const folder = mkdtempSync(join(tmpdir(), 'teamfuse-bench-'));
let runs = 0;

const EVERY_SECOND = ['--appendfsync', 'everysec'];

/** New servers and files, so that no run finds the books of another. */
async function place(name: string): Promise<Places> {
  const redis = name.includes('Redis') ? await startRedis(...EVERY_SECOND, ...AT_ONCE) : undefined;
  const replica =
    redis !== undefined && name.includes('replica')
      ? await startReplicaOf(redis.port, ...EVERY_SECOND)
      : undefined;
  const postgres = name.includes('PostgreSQL') ? await startPostgres() : undefined;
  for (const server of [replica, redis, postgres]) if (server !== undefined) servers.push(server);
  const file = join(folder, `budget ${++runs}.db`);
  return { redis: redis?.port ?? 0, postgres: postgres?.url ?? '', file };
}

console.log(`admit and settle, ${pairs} pairs a process, ${atOnce} at once`);
console.log(`${''.padEnd(34)}processes  p50 µs   p99 µs  pairs/s  trips/call`);
for (const name of values.stores.split('|')) {
  const isMissing =
    (name.includes('Redis') && !HAS_REDIS) || (name.includes('PostgreSQL') && !HAS_POSTGRES);
  if (isMissing) {
    console.log(`${name.padEnd(34)}left out: its server is not installed`);
    continue;
  }
  for (const processes of values.processes.split(',').map(Number)) {
    if (processes > 1 && OF_ONE_PROCESS.includes(name)) continue;
    const places = await place(name);
    const { took, perSecond, perCall } = await run(name, places, processes);
    if (!OF_ONE_PROCESS.includes(name)) {
      await check(name, places, processes * (pairs + WARM_UP) * CALL);
    }
    const at = (part: number): string =>
      (took[Math.floor(part * took.length)] ?? 0).toFixed(
        took.length > 0 && (took[0] ?? 0) < 10 ? 1 : 0,
      );
    const trips = perCall?.toFixed(3) ?? '';
    const cells = [processes, at(0.5), at(0.99), perSecond.toFixed(0), trips].map(String);
    const [of, p50, p99, rate, asked] = cells as [string, string, string, string, string];
    console.log(
      `${name.padEnd(34)}${of.padStart(9)}${p50.padStart(8)}${p99.padStart(9)}${rate.padStart(9)}${asked.padStart(12)}`,
    );
    for (const server of servers.splice(0)) await server.stop();
  }
}
rmSync(folder, { recursive: true });
