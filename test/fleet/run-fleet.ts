import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { BudgetStore } from '../../packages/core/src/index.ts';
import type { BudgetTotals } from '../../packages/core/src/kit.ts';
import { SQLITE_NODE } from '../../packages/stores/test/support/sqlite-node.ts';
import { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import { end, type TestServer } from '../servers/program.ts';
import type { Fleet } from './fleets.ts';

/** A server that can be killed and started again. */
export interface FleetServer extends TestServer {
  restart(): Promise<void>;
}

/** The Node that runs the workers, which are TypeScript. */
export const WORKER_NODE: string | undefined = SQLITE_NODE;

const ARGS = ['--no-warnings', '--conditions=@teamfuse/source'];
const WORKERS = 3;

/** What a fleet has done. */
export interface FleetReport {
  /** The most that was spent and reserved at a time, in tokens. */
  readonly most: number;
  /** What all settlements took that were handed over, and that were about to be. */
  readonly settled: number;
  readonly settling: number;
  readonly counts: Readonly<
    Record<'asks' | 'refused' | 'lost' | 'killed' | 'stopped' | 'restarted', number>
  >;
}

/**
 * Runs a fleet that spends a budget of `limit` tokens, and meanwhile kills processes, and lets them and the server stand
 * still, and restarts the server after a kill. `watch` looks at the books.
 */
export async function runFleet(
  worker: string | readonly string[],
  server: FleetServer,
  watch: BudgetStore,
  limit: number,
  { calls, isLeasing, disturbances }: Fleet,
): Promise<FleetReport> {
  const random = new SeededRandom(11);
  const counts = { asks: 0, refused: 0, lost: 0, killed: 0, stopped: 0, restarted: 0 };
  let [settled, settling, most, seed] = [0, 0, 0, 0];
  const workers = new Set<ChildProcess>();
  const stopped = new Map<number, () => void>();
  let isOver = false;

  /** Lets a process stand still until something else has happened, or for a while. */
  const standStill = (pid: number): void => {
    process.kill(pid, 'SIGSTOP');
    counts.stopped++;
    const goOn = (): void => {
      clearTimeout(timer);
      stopped.delete(pid);
      process.kill(pid, 'SIGCONT');
    };
    const timer = setTimeout(goOn, 500 + random.below(1000));
    stopped.set(pid, goOn);
  };

  let restarting: Promise<void> | undefined;
  const restart = async (): Promise<void> => {
    counts.restarted++;
    await server.kill();
    await server.restart();
    restarting = undefined;
  };

  let turns = 0;
  let isDue = false;
  /** Disturbs one thing at a time; what falls due meanwhile comes after it. */
  const disturb = (child: ChildProcess): void => {
    if (!isDue || stopped.size > 0 || restarting !== undefined) return;
    isDue = false;
    const turn = turns++ % 4;
    if (turn === 0) {
      counts.killed++;
      void end(child, 'SIGKILL');
    } else if (turn === 1) restarting = restart();
    else if (turn === 2) standStill(child.pid as number);
    else standStill(server.pid);
  };

  const read = (child: ChildProcess, line: string): void => {
    const [word = '', tokens = '0'] = line.split(' ');
    if (word === 'settles') settling += Number(tokens);
    if (word === 'settled') settled += Number(tokens);
    if (word === 'asks' || word === 'refused' || word === 'lost') counts[word]++;
    if (word !== 'asks') return;
    isDue ||= counts.asks % Math.ceil((WORKERS * calls) / disturbances) === 0;
    disturb(child);
  };

  const start = async (left: number): Promise<void> => {
    const args = [...[worker].flat(), server.port, limit, left, ++seed, Number(isLeasing)].map(
      String,
    );
    const child = spawn(WORKER_NODE as string, [...ARGS, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    workers.add(child);
    let [rest, asks] = ['', 0];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      asks += lines.filter((line) => line === 'asks').length;
      for (const line of lines) read(child, line);
    });
    const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) =>
      child.once('close', (...how) => resolve(how)),
    );
    workers.delete(child);
    // One that is killed after its last call has left nothing to make.
    if (signal === 'SIGKILL') return asks < left ? start(left - asks) : undefined;
    if (code !== 0) throw new Error(`a worker ended with ${code ?? signal}`);
  };

  const watching = async (): Promise<void> => {
    while (!isOver) {
      const books = await booksOf(watch);
      if (books === undefined) await pause(10);
      else most = Math.max(most, books.spent.tokens + books.reserved.tokens);
    }
  };
  const watched = watching();
  try {
    await Promise.all(Array.from({ length: WORKERS }, () => start(calls)));
  } finally {
    isOver = true;
    await restarting;
    for (const goOn of stopped.values()) goOn();
    await Promise.all([...workers].map((child) => end(child, 'SIGKILL')));
    await watched;
  }
  return { most, settled, settling, counts };
}

/** What a store holds, while its server answers. */
async function booksOf(store: BudgetStore): Promise<BudgetTotals | undefined> {
  try {
    return await store.totals();
  } catch {
    return undefined;
  }
}
