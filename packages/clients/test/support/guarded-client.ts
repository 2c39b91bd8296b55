import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Breaker } from '@teamfuse/core';
import { type GuardFetchOptions, guardFetch } from '@teamfuse/wire';
import { createGateway } from '@teamfuse/wire/gateway';
import type { Client } from '../../../wire/test/support/agents.ts';

/** A way to an endpoint that a breaker guards. */
export interface GuardedClient extends AsyncDisposable {
  readonly breaker: Breaker;
  readonly client: Client;
}

type Refusal = Pick<GuardFetchOptions, 'refusal' | 'stopWord'>;

/** Guards a client, and leads it to the endpoint at this address. */
export type Guarding = (url: string, refusal?: Refusal) => Promise<GuardedClient>;

/** The ways to guard clients, by name. */
export const WAYS: Readonly<Record<string, Guarding>> = {
  guardFetch: async (url, refusal = {}) => {
    const breaker = new Breaker();
    const client = { baseURL: url, fetch: guardFetch(breaker, refusal) };
    return { breaker, client, [Symbol.asyncDispose]: async () => {} };
  },
  'the gateway': async (url, refusal = {}) => {
    const breaker = new Breaker();
    const gateway = createGateway({ upstream: url, breaker, ...refusal });
    const server = serve({ fetch: gateway.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = { baseURL: `http://127.0.0.1:${port}`, fetch: globalThis.fetch };
    const stop = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return { breaker, client, [Symbol.asyncDispose]: stop };
  },
};
