import { SqliteBudgetStore } from '../../src/index.ts';

// Prints the books as they are so many milliseconds from now.
const [file = '', reservationMs = '', fromNow = '0'] = process.argv.slice(2);
const now = (): number => Date.now() + Number(fromNow);
const store = new SqliteBudgetStore(file, { reservationMs: Number(reservationMs), now });
console.log(JSON.stringify(await store.totals()));
