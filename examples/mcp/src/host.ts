import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const USD_PER_TOKEN = 2e-6;
const TOKENS_PER_MESSAGE = 150;
const PAGES = 9;

/** What a run took: turns of the model, and calls that reached the server. */
export interface Taken {
  turns: number;
  calls: number;
  tokens: number;
}

/** A client of a server with orders, which counts the calls that reach it. */
export async function connect(taken: Taken): Promise<Client> {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  server.registerTool('orders', { inputSchema: { page: z.number() } }, async ({ page }) => {
    taken.calls++;
    const text = `page ${page} of ${PAGES}: orders ${page * 10} to ${page * 10 + 9}`;
    return { content: [{ type: 'text', text }] };
  });
  const client = new Client({ name: 'host', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

/** A host whose model, which needs no network, asks for page after page, or for the same page again and again. */
export async function work(
  client: Client,
  taken: Taken,
  { isLooping, cap, isStopped }: { isLooping: boolean; cap: number; isStopped: () => boolean },
): Promise<string> {
  while (taken.turns < cap && !isStopped()) {
    taken.turns++;
    taken.tokens += (2 * taken.turns - 1) * TOKENS_PER_MESSAGE + 20;
    if (!isLooping && taken.turns > PAGES) return `All ${PAGES} pages are read.`;
    const page = isLooping ? 1 : taken.turns;
    await client.callTool({ name: 'orders', arguments: { page } });
  }
  return isStopped() ? 'stopped' : 'still at it';
}

/** Says what a run took. */
export function bill({ turns, calls, tokens }: Taken): string {
  return `${turns} turns, ${calls} calls, ${tokens} tokens, $${(tokens * USD_PER_TOKEN).toFixed(4)}`;
}
