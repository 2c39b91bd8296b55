import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preflight, runWithHistory } from '../../../packages/stores/src/history/index.ts';
import {
  FileHistoryStore,
  SqliteBudgetStore,
  SqliteHistoryStore,
} from '../../../packages/stores/src/index.ts';
import { breakerOf, heard, type Scenes, type Tell } from '../scene.ts';

const SOON_MS = 10;
const CALL = { kind: 'model-request', agent: 'ann', model: 'm', inputTokens: 10 } as const;
const USAGE = {
  kind: 'usage',
  agent: 'ann',
  model: 'm',
  inputTokens: 10,
  outputTokens: 5,
} as const;

/** Does something in a folder of its own. */
async function within(work: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-unharmed-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A call with a store of budgets, whose settlement nobody waits for. */
async function spend(store: SqliteBudgetStore, tell: Tell): Promise<void> {
  const breaker = breakerOf({ budget: { maxUsd: 1, store } }, tell);
  await heard(
    breaker.run(CALL, () => 'an answer'),
    tell,
  );
  breaker.observe({ ...USAGE, costUsd: 0.01 });
  await new Promise((resolve) => setTimeout(resolve, 4 * SOON_MS));
}

/** What fails in files. Each does so in a way of its own. */
export const FILES: Scenes = {
  'a file of runs': {
    told: 'history',
    isOwnWay: true,
    play: (_, tell) =>
      within(async (folder) => {
        const [inPlace, torn] = [join(folder, 'folder'), join(folder, 'torn.json')];
        mkdirSync(join(inPlace, 'of others'), { recursive: true });
        writeFileSync(torn, '{"version":');
        for (const file of [inPlace, join(torn, 'below')]) {
          const store = new FileHistoryStore(file, { lockTimeoutMs: SOON_MS });
          const history = { store, task: 'a report', timeoutMs: 100 * SOON_MS };
          await runWithHistory(breakerOf({}, tell), history, () => 'a report');
        }
        await heard(preflight(new FileHistoryStore(torn), { task: 'a report' }), tell);
      }),
  },
  'an SQLite file that others lock': {
    told: 'store',
    isOwnWay: true,
    play: (_, tell) =>
      within(async (folder) => {
        const file = join(folder, 'budget.db');
        const store = new SqliteBudgetStore(file, { busyTimeoutMs: SOON_MS });
        store.totals();
        // The types of Node 20 do not know it.
        const { DatabaseSync } = Object(process.getBuiltinModule('node:sqlite'));
        const other = new DatabaseSync(file);
        other.exec('BEGIN EXCLUSIVE');
        await spend(store, tell);
        other.close();
        store.close();
      }),
  },
  'an SQLite file that was closed': {
    told: 'store',
    isOwnWay: true,
    play: (_, tell) =>
      within(async (folder) => {
        const store = new SqliteBudgetStore(join(folder, 'budget.db'));
        store.close();
        await spend(store, tell);
        const runs = new SqliteHistoryStore(join(folder, 'runs.db'));
        runs.close();
        const history = { store: runs, task: 'a report' };
        await runWithHistory(breakerOf({}, tell), history, () => 'a report');
      }),
  },
};
