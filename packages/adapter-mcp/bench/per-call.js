// What a guard adds to a call of a tool, with a server in the same process, and whether memory stays flat.
// Run: npm run bench:adapters
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { guardClient } from '@teamfuse/adapter-mcp';
import { Breaker } from '@teamfuse/core';
import { timeSteps, weighRuns } from '../../adapter-kit/bench/steps.js';

const CALLS = 100;

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

async function look(client) {
  for (let at = 0; at < CALLS; at++) await client.callTool({ name: 'look', arguments: { at } });
}
const ways = {
  alone: { run: () => look(plain) },
  guarded: { run: () => guard.run(() => look(guarded)), beside: 'alone' },
};
await timeSteps(ways, { steps: CALLS, unit: 'call' });
await weighRuns('guarded', () => guard.run(() => guarded.callTool({ name: 'look' })));
