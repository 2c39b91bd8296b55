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
const print = (ms: number): void => {
  now += ms;
  const { spent, reserved } = store.totals();
  printed.push(spent.tokens, reserved.tokens);
};
const most = { nanoUsd: 0, tokens: Number.MAX_SAFE_INTEGER };
for (let i = 0; i < 3; i++) store.settle(undefined, most);
print(MINUTE / 2);
store.settle(undefined, { nanoUsd: 0, tokens: 7 });
print(MINUTE / 2);
now += 1e9;
store.settle(undefined, { nanoUsd: 0, tokens: 20 });
store.reserve('ahead', { nanoUsd: 0, tokens: 5 }, {});
print(-1e9);
print(MINUTE - 1);
print(1);
console.log(JSON.stringify(printed));
