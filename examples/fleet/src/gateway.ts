// One gateway of the fleet, a process of its own: `gateway.js <upstream> <port of Redis>`.
import { serve } from '@hono/node-server';
import { Breaker } from '@teamfuse/core';
import { shared } from '@teamfuse/stores/fleet';
import { createGateway } from '@teamfuse/wire/gateway';
import { MAX_TOKENS, openStores } from './stores.ts';

const [upstream = '', redis] = process.argv.slice(2);
const { budget: store, circuits } = await openStores(Number(redis));
const breaker = new Breaker({
  judge: false,
  cooldownMs: 1_000,
  budget: { maxTokens: MAX_TOKENS, store },
  circuits: shared(circuits),
});
const { fetch } = createGateway({ upstream, breaker, salt: 'the same in the whole fleet' });
serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.({ port }));
process.on('disconnect', () => process.exit());
