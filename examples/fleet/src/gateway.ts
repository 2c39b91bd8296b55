// One gateway of the fleet, a process of its own: `gateway.js <upstream> <port of Redis>`.
import { serve } from '@hono/node-server';
import { Breaker } from '@teamfuse/core';
import { createGateway } from '@teamfuse/gateway';
import { MAX_TOKENS, openBooks } from './budget.ts';

const [upstream = '', redis] = process.argv.slice(2);
const { store } = await openBooks(Number(redis));
const breaker = new Breaker({ judge: false, budget: { maxTokens: MAX_TOKENS, store } });
const { fetch } = createGateway({ upstream, breaker });
serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.({ port }));
process.on('disconnect', () => process.exit());
