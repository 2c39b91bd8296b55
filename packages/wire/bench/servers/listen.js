import { setImmediate } from 'node:timers/promises';
import { serve } from '@hono/node-server';

const MB = 2 ** 20;

/** Serves, says where, and says what it took and holds when it is asked. */
export function listen(fetch) {
  serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send({ port }));
  process.on('message', async (asked) =>
    process.send(asked === 'memory' ? await memory() : process.cpuUsage()),
  );
  process.on('disconnect', () => process.exit());
}

async function memory() {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMb: rss / MB, heapMb: heapUsed / MB };
}
