import { SqliteBudgetStore } from '../../src/index.ts';

// Holds 40 tokens for a call that never ends.
const [file = '', reservationMs = ''] = process.argv.slice(2);
const store = new SqliteBudgetStore(file, { reservationMs: Number(reservationMs) });
store.reserve('call of the dead', { nanoUsd: 0, tokens: 40 }, { tokens: 100 });
process.stdout.write('held\n');
setInterval(() => {}, 1000);
