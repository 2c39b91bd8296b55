import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { guard } from '@teamfuse/core';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const CALLS = 12;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function inProcess(server: McpServer, client: Client): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
}

async function overHttp(server: McpServer, client: Client): Promise<void> {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' });
  await server.connect(transport as never);
  const http = createServer((request, response) => transport.handleRequest(request, response));
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  ends.push(() => {
    http.close();
    http.closeAllConnections();
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/`)) as never,
  );
}

describe.each([
  ['in one process', inProcess],
  ['over HTTP', overHttp],
])('a tool under guard() in a server %s', (_name, connect) => {
  /** How many of twelve calls a guarded tool makes; the first are as many requests as the last have digits. */
  async function runs(argsOf?: (call: number) => { at: string }): Promise<number> {
    let made = 0;
    const look = guard(async (..._args: unknown[]) => {
      made++;
      return { content: [{ type: 'text' as const, text: 'blue' }] };
    });
    const server = new McpServer({ name: 'sky', version: '1.0.0' });
    if (argsOf === undefined) server.registerTool('look', {}, look);
    else server.registerTool('look', { inputSchema: { at: z.string() } }, look);
    const client = new Client({ name: 'host', version: '1.0.0' });
    await connect(server, client);
    ends.push(() => client.close());
    for (let call = 0; call < CALLS; call++) {
      const params = { name: 'look', ...(argsOf && { arguments: argsOf(call) }) };
      await client.callTool(params, undefined, { onprogress: () => {} });
    }
    return made;
  }

  it('[MCP17] is not called a third time for the same, with and without arguments', async () => {
    expect(await runs(() => ({ at: 'sky' }))).toBe(2);
    expect(await runs()).toBe(2);
  });

  it('[MCP17] is called for all that differs', async () => {
    expect(await runs((call) => ({ at: `field ${call}` }))).toBe(CALLS);
  });
});
