import { Client as ClientV2, InMemoryTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GuardableClient } from '../../src/index.ts';

/** A client and its server, which runs in this process. */
export interface Pair<C extends GuardableClient> {
  readonly client: C;
  readonly server: McpServer;
  /** The tools, resources and prompts that the server was asked for. */
  readonly done: string[];
}

const IMAGES = ['aGVsbG8=', 'd29ybGQ=', 'YWdhaW4=', 'bW9yZQ=='];

/** A server with a clock that stands still, a counter, a camera, a broken tool, a tool that hangs, a resource and a prompt. */
function serverOf(name: string): { readonly server: McpServer; readonly done: string[] } {
  const server = new McpServer({ name, version: '1.0.0' });
  const done: string[] = [];
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  const tools: Record<string, () => unknown> = {
    still: () => text('noon'),
    counter: () => text(`page ${done.length} of 100`),
    camera: () => ({
      content: [{ type: 'image', mimeType: 'image/png', data: IMAGES[done.length % 4] }],
    }),
    broken: () => ({ ...text('no such file'), isError: true }),
    table: () => ({ ...text('a table'), structuredContent: { rows: done.length } }),
    hanging: () => new Promise(() => {}),
  };
  for (const [tool, answer] of Object.entries(tools)) {
    server.registerTool(tool, {}, (async (extra: Progress) => {
      done.push(tool);
      const { _meta: { progressToken } = {} } = extra;
      if (progressToken !== undefined) {
        const params = { progressToken, progress: 1, total: 2 };
        await extra.sendNotification({ method: 'notifications/progress', params });
      }
      return answer();
    }) as never);
  }
  server.registerResource('note', 'note://1', {}, async (uri) => {
    done.push('note');
    return { contents: [{ uri: uri.href, text: 'a note' }] };
  });
  server.registerPrompt('greet', {}, () => {
    done.push('greet');
    return { messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }] };
  });
  return { server, done };
}

interface Progress {
  readonly _meta?: { readonly progressToken?: string | number };
  sendNotification(notification: object): Promise<void>;
}

/** A client of version 1 with its server. */
export async function pair(name = 'files'): Promise<Pair<Client>> {
  const { server, done } = serverOf(name);
  const client = new Client({ name: 'host', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return { client, server, done };
}

/** A client of version 2 with the same server. */
export async function pairV2(name = 'files'): Promise<Pair<ClientV2>> {
  const { server, done } = serverOf(name);
  const client = new ClientV2({ name: 'host', version: '1.0.0' });
  const [near, far] = TransportV2.createLinkedPair();
  await Promise.all([server.connect(far as never), client.connect(near)]);
  return { client, server, done };
}
