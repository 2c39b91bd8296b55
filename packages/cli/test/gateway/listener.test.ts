import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Breaker } from '@teamfuse/core';
import { createGateway } from '@teamfuse/wire/gateway';
import { afterEach, expect, it } from 'vitest';
import { listenerOf } from '../../src/gateway/listener.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function listening(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function gatewayTo(upstream: string) {
  const told: string[] = [];
  const tell = (problem: string): void => {
    told.push(problem);
  };
  const gateway = createGateway({ upstream, breaker: new Breaker(), onUnreachable: tell });
  return { url: await listening(listenerOf(gateway, tell)), told };
}

it('[GWC9] says on one line that the upstream cannot be reached, and answers 502', async () => {
  const gone = await listening(() => {});
  for (const close of open.splice(0)) close();
  const { url, told } = await gatewayTo(gone);
  const response = await fetch(`${url}/v1/models`);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { code: 'upstream_unreachable' } });
  expect(told).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+: fetch failed: .*ECONNREFUSED/)]);
});

it('[GWC9] ends an answer where the upstream cut it off, and adds nothing to it', async () => {
  const upstream = await listening((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"a":1}\n\n', () => response.destroy());
  });
  const { url, told } = await gatewayTo(upstream);
  const asked = request(`${url}/v1/files`).end();
  const [response] = await once(asked, 'response');
  let came = '';
  const read = async (): Promise<void> => {
    for await (const chunk of response) came += chunk;
  };
  await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect('data: {"a":1}\n\n').toContain(came);
  expect(told).toEqual([expect.stringMatching(/^the answer broke off: /)]);
});

it('[GWC9] says nothing about callers that leave', async () => {
  let left = (): void => {};
  const hasLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const upstream = await listening((_, response) => {
    response.writeHead(200).write('first');
    response.on('close', left);
  });
  const { url, told } = await gatewayTo(upstream);
  const asked = request(`${url}/v1/files`).end();
  const [response] = await once(asked, 'response');
  await once(response, 'data');
  asked.destroy();
  await hasLeft;
  expect(told).toEqual([]);
});
