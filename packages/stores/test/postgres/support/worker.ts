import { Pool } from 'pg';
import { work } from '../../../../../test/fleet/work.ts';
import { PostgresBudgetStore } from '../../../src/postgres/index.ts';

// Spends a budget of a server: port, limit, calls, seed, and 1 to lease.
const [port = 0, limit = 0, calls = 0, seed = 0, lease = 0] = process.argv.slice(2).map(Number);
const pool = new Pool({ host: '127.0.0.1', port, user: 'test', database: 'postgres', max: 2 });
pool.on('error', () => {});
// Calls that are never settled are not kept alive.
const store = new PostgresBudgetStore(pool, {
  budget: lease === 1 ? 'leasing fleet' : 'fleet',
  callMs: 1,
  lease: lease === 1,
});
await work(store, limit, calls, seed);
await pool.end();
