import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { patientFetch } from '../../src/gateway/patient-fetch.ts';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

await fetch('data:,');
const own = Reflect.get(globalThis, DISPATCHER);
afterEach(() => {
  Reflect.set(globalThis, DISPATCHER, own);
});

it('[GWC46] sends what goes to the upstream without limits of time', async () => {
  const server = createServer((_, response) => response.end('Ebb.')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const limits: unknown[] = [];
  Reflect.set(globalThis, DISPATCHER, {
    dispatch(options: object, handler: object) {
      limits.push(options);
      return own.dispatch(options, handler);
    },
  });
  const { port } = server.address() as AddressInfo;
  const response = await (await patientFetch())(`http://127.0.0.1:${port}/`);
  expect(await response.text()).toBe('Ebb.');
  expect(limits).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
  server.close();
});
