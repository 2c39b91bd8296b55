import { SqliteBudgetStore } from '../../src/index.ts';
import { SharedDatabase } from '../../src/sqlite/database.ts';

// Settles a call while somebody else writes, flushes and closes; prints the books.
const [file = ''] = process.argv.slice(2);
const store = new SqliteBudgetStore(file);
await new SharedDatabase(file, 0, () => {}).write(() => {
  store.settle(undefined, { nanoUsd: 0, tokens: 7 });
});
await store.flush();
store.close();
console.log(JSON.stringify(await new SqliteBudgetStore(file).totals()));
