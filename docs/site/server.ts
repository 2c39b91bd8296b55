import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { DIST } from './pages.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** A server of the built site on this machine: `/tuning` is `tuning.html`. */
export interface SiteServer {
  readonly url: string;
  close(): void;
}

export async function serveSite(): Promise<SiteServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = fileOf(decodeURIComponent(new URL(url, 'http://site').pathname));
  if (file === undefined) response.writeHead(404).end();
  else {
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(await readFile(file));
  }
}

function fileOf(path: string): string | undefined {
  const base = join(DIST, path);
  const candidates = [base, `${base}.html`, join(base, 'index.html')];
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}
