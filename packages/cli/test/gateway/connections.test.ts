import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Connections } from '../../src/gateway/connections.ts';

/** Starts a server that never closes idle connections. It begins each answer at once; the test ends it. */
async function startServer() {
  const held: ServerResponse[] = [];
  const server = createServer((_, response) => {
    held.push(response);
    response.write('begun, ');
  });
  server.keepAliveTimeout = 0;
  const connections = new Connections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const end = (): Promise<unknown> => {
    const closed = once(server, 'close');
    server.close();
    connections.end();
    return closed;
  };
  return { port, held, end };
}

it('[GWC2] a connection ends after an answer that had begun', async () => {
  const { port, held, end } = await startServer();
  const agent = new Agent({ keepAlive: true });
  const asked = get({ port, host: '127.0.0.1', agent });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const closed = end();
  held[0]?.end('ended');
  expect(await text(answer)).toBe('begun, ended');
  await closed;
});

it('[GWC2] all answers come that were asked for at once on one connection', async () => {
  const { port, held, end } = await startServer();
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3));
  const came = text(socket);
  await expect.poll(() => held.length).toBe(3);
  const closed = end();
  for (const response of held) response.end('ended');
  await closed;
  expect((await came).match(/ended/g)).toHaveLength(3);
});

it('[GWC2] a connection on which nothing is under way ends at once', async () => {
  const { port, held, end } = await startServer();
  const unused = connect(port, '127.0.0.1');
  await once(unused, 'connect');
  const agent = new Agent({ keepAlive: true });
  const asked = get({ port, host: '127.0.0.1', agent });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  held[0]?.end('ended');
  await text(answer);
  const left = once(unused, 'close');
  await end();
  await left;
});
