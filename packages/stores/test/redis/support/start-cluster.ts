import { setImmediate as turn } from 'node:timers/promises';
import { createClient } from 'redis';
import { freePort } from '../../../../../test/servers/program.ts';
import { type RedisServer, startRedis } from '../../../../../test/servers/redis-server.ts';

/** Starts a cluster of one node, which has all slots. */
export async function startCluster(): Promise<RedisServer> {
  const bus = ['--cluster-port', String(await freePort()), '--cluster-announce-ip', '127.0.0.1'];
  const node = await startRedis('--cluster-enabled', 'yes', ...bus);
  const admin = await createClient({ url: node.url }).connect();
  await admin.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  while (!(await admin.clusterInfo()).includes('cluster_state:ok')) await turn();
  admin.destroy();
  return node;
}
