import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AsyncContractCheck,
  budgetStoreContract,
  historyStoreContract,
} from '@teamfuse/testing';
import { SqliteBudgetStore, SqliteHistoryStore } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-contract-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

const checks: readonly AsyncContractCheck[] = [
  ...budgetStoreContract((setup) => new SqliteBudgetStore(newFile(), setup)),
  ...historyStoreContract(() => new SqliteHistoryStore(newFile())),
];
const problems: Record<string, string> = {};
for (const { id, check } of checks) {
  problems[id] = await check().then(
    () => '',
    (error) => String(error),
  );
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify(problems));
