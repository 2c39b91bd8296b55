import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { work } from '../../../../../test/fleet/work.ts';
import { RedisBudgetStore } from '../../../src/redis/index.ts';

// Spends the budget `fleet` of a server: port, limit, calls, seed, and 1 to lease.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { replicas: { type: 'string', default: '0' } },
});
const [port = 0, limit = 0, calls = 0, seed = 0, lease = 0] = positionals.map(Number);
const client = createClient({ socket: { port, host: '127.0.0.1' }, disableOfflineQueue: true });
client.on('error', () => {});
await client.connect();
// Calls that are never settled are not kept alive.
const store = new RedisBudgetStore(client, {
  budget: lease === 1 ? 'leasing fleet' : 'fleet',
  callMs: 1,
  lease: lease === 1,
  replicas: Number(values.replicas),
});
await work(store, limit, calls, seed);
client.destroy();
