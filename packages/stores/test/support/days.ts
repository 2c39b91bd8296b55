import { SqliteBudgetStore } from '../../src/index.ts';

// Spends in purses of all kinds with a window of a minute; prints the tokens that are left in them after it.
const [file = ''] = process.argv.slice(2);
const purses = ['day:2026-11-26/user:ann', 'month:2026-11', 'user:ann'];
let now = 0;
const store = new SqliteBudgetStore(file, { windowMs: 60_000, now: () => now });
await store.settle(undefined, { nanoUsd: 0, tokens: 2 }, purses);
now = 60_000;
const totals = await store.totals(purses);
console.log(JSON.stringify([totals, ...(totals.purses ?? [])].map(({ spent }) => spent.tokens)));
