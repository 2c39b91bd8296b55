import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard, isTripped } from '@teamfuse/core';

const EXPECTED = 'requests the server has seen: 2 for /bill that is not paid, 2 for /busy';

/** A server that wants money on one path, and patience on the other. Notes every request. */
const requests: string[] = [];
const server = createServer((request, response) => {
  const path = request.url ?? '';
  requests.push(path);
  if (path === '/bill') response.writeHead(402).end('Payment Required');
  else response.writeHead(429, { 'retry-after': '60' }).end('Too Many Requests');
});
await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
const { port } = server.address() as AddressInfo;

/** An agent that does not take no for an answer. */
async function insist(path: string): Promise<void> {
  const guarded = guard(fetch, { name: 'fetch' });
  for (let attempt = 1; attempt <= 50; attempt++) {
    try {
      const response = await guarded(`http://127.0.0.1:${port}${path}`);
      console.log(`${path}: ${response.status} ${await response.text()}`);
    } catch (error) {
      if (!isTripped(error)) throw error;
      console.log(`${path}: refused at attempt ${attempt}, before anything was sent`);
      return;
    }
  }
}

await insist('/bill');
await insist('/busy');
server.close();

const seen = (path: string): number => requests.filter((request) => request === path).length;
const last = `requests the server has seen: ${seen('/bill')} for /bill that is not paid, ${seen('/busy')} for /busy`;
console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
