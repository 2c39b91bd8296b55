// What a guard adds to a call of a tool, in processor time, with a server in the same process, and whether memory stays flat.
// Run: node --expose-gc packages/adapter-mcp/bench/per-call.js, after `npm run build`.
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { guardClient } from '@teamfuse/adapter-mcp';
import { Breaker } from '@teamfuse/core';

const CALLS = 100;
const ROUNDS = 40;

let call = 0;
async function connect() {
  const server = new McpServer({ name: 'birds', version: '1.0.0' });
  server.registerTool('look', {}, async () => ({
    content: [{ type: 'text', text: `bird ${call++}` }],
  }));
  const client = new Client({ name: 'host', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

const plain = await connect();
const guarded = await connect();
const guard = guardClient(guarded, new Breaker({ reaction: 'observe' }), { judge: false });

async function microsPerCall(client) {
  const began = process.cpuUsage();
  for (let at = 0; at < CALLS; at++) await client.callTool({ name: 'look', arguments: { at } });
  const { user, system } = process.cpuUsage(began);
  return (user + system) / CALLS;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const times = { plain: [], guarded: [] };
for (let round = -10; round < ROUNDS; round++) {
  const pair = [await microsPerCall(plain), await guard.run(() => microsPerCall(guarded))];
  if (round < 0) continue;
  times.plain.push(pair[0]);
  times.guarded.push(pair[1]);
}
const [alone, both] = [median(times.plain), median(times.guarded)];
console.log(
  `a call: ${alone.toFixed(0)} µs alone, ${both.toFixed(0)} µs guarded: ${(both - alone).toFixed(0)} µs more`,
);

async function megabytesAfter(runs) {
  for (let run = 0; run < runs; run += 100) {
    const work = () => guarded.callTool({ name: 'look' });
    await Promise.all(Array.from({ length: 100 }, () => guard.run(work)));
  }
  // What was forgotten is let go of in later turns of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    await setTimeout(20);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1e6;
}
const before = await megabytesAfter(1000);
const after = await megabytesAfter(1000);
console.log(`heap: ${before.toFixed(1)} MB after 1,000 runs, ${after.toFixed(1)} MB after 2,000`);
