import { SqliteBudgetStore } from '../../src/index.ts';

// Spends in a window of a minute by a clock that jumps; prints what is spent and held after each step.
const [file = ''] = process.argv.slice(2);
const MINUTE = 60_000;
let now = 1e12;
const store = new SqliteBudgetStore(file, {
  windowMs: MINUTE,
  reservationMs: MINUTE,
  now: () => now,
});
const printed: number[] = [];
const print = async (ms: number): Promise<void> => {
  now += ms;
  const { spent, reserved } = await store.totals();
  printed.push(spent.tokens, reserved.tokens);
};
const most = { nanoUsd: 0, tokens: Number.MAX_SAFE_INTEGER };
for (let i = 0; i < 3; i++) await store.settle(undefined, most);
await print(MINUTE / 2);
await store.settle(undefined, { nanoUsd: 0, tokens: 7 });
await print(MINUTE / 2);
now += 1e9;
await store.settle(undefined, { nanoUsd: 0, tokens: 20 });
await store.reserve('ahead', { nanoUsd: 0, tokens: 5 }, {});
await print(-1e9);
await print(MINUTE - 1);
await print(1);
console.log(JSON.stringify(printed));
