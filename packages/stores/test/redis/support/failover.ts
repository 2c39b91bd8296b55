import { fileURLToPath } from 'node:url';
import { Breaker, type Trip } from '@teamfuse/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Fleet } from '../../../../../test/fleet/fleets.ts';
import { runFleet, WORKER_NODE } from '../../../../../test/fleet/run-fleet.ts';
import { CALL } from '../../../../../test/fleet/work.ts';
import { answering } from '../../../../../test/servers/flushed.ts';
import { RedisBudgetStore, RedisCircuitStore } from '../../../src/redis/index.ts';
import { advance } from './advance.ts';
import { CLIENTS, type Connect, type Connected } from './clients.ts';
import { ReplicatedRedis } from './replicated.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
export const AMOUNT = { nanoUsd: 0, tokens: 10 };
export const STOP: { readonly type: 'stop'; readonly trip: Trip } = {
  type: 'stop',
  trip: new Breaker().stop('enough'),
};
export const NOTHING = { nanoUsd: 0, tokens: 0 };

/** A Redis with a replica for each test of a file, and stores on it. */
export class Failover {
  readonly #connections: Connected[] = [];
  #server: ReplicatedRedis | undefined;

  constructor() {
    beforeEach(async () => {
      this.#server = await ReplicatedRedis.start();
    });
    afterEach(async () => {
      for (const { close } of this.#connections.splice(0)) close();
      await this.#server?.stop();
    });
  }

  get server(): ReplicatedRedis {
    return this.#server as ReplicatedRedis;
  }

  async open(
    replicas: number,
    name = 'redis 6',
    port: number = this.server.port,
  ): Promise<RedisBudgetStore> {
    const connected = await (CLIENTS[name] as Connect)(port);
    this.#connections.push(connected);
    return new RedisBudgetStore(connected.client, { replicas, timeoutMs: 2_000, attempts: 1 });
  }

  async openCircuits(replicas: number): Promise<RedisCircuitStore> {
    const connected = await (CLIENTS['redis 6'] as Connect)(this.server.port);
    const store = new RedisCircuitStore(connected.client, {
      replicas,
      timeoutMs: 2_000,
      attempts: 1,
    });
    this.#connections.push({ ...connected, close: () => [store.close(), connected.close()] });
    return store;
  }

  /** Nothing that was confirmed is lost with these clients, by their names in {@link CLIENTS}. */
  testClients(names: readonly string[]): void {
    it.each(names)(
      '[RDS10] loses nothing that it has confirmed, with replicas: 1 and %s',
      async (name) => {
        const store = await this.open(1, name);
        expect((await store.reserve('a', AMOUNT, {})).isGranted).toBe(true);
        await store.settle('b', { nanoUsd: 0, tokens: 3 });
        expect(store.unsettled).toBe(0);
        this.server.holdBack();
        await expect(store.reserve('c', AMOUNT, {})).rejects.toThrow('the server cannot be asked');
        await this.server.kill();
        await this.server.promote();
        const spent = { nanoUsd: 0, tokens: 3 };
        expect(await (await this.open(0)).totals()).toEqual({ spent, reserved: AMOUNT });
      },
    );
  }

  /** A Redis that comes back after its replica took over grants calls or not. */
  testComeback(cases: readonly { readonly replicas: number; readonly what: string }[]): void {
    it.each(cases)(
      '[RDS15] that comes back after its replica took over $what',
      async ({ replicas }) => {
        const { pid, url } = this.server;
        const store = await this.open(replicas, 'redis 6', Number(new URL(url).port));
        await store.reserve('a', AMOUNT, {});
        process.kill(pid, 'SIGSTOP');
        await this.server.restart();
        process.kill(pid, 'SIGCONT');
        const granted = await store.reserve('b', AMOUNT, {}).then(
          ({ isGranted }) => isGranted,
          () => false,
        );
        expect(granted).toBe(replicas === 0);
        await store.settle('a', AMOUNT);
        expect(store.unsettled > 0).toBe(replicas === 1);
      },
    );
  }

  testFleets(fleets: readonly Fleet[]): void {
    it.skipIf(WORKER_NODE === undefined).each(fleets)(
      '[RDS11] is spent by a fleet to the limit and never beyond it, however often its replica takes over, $how (needs a Node that runs TypeScript)',
      async (fleet) => {
        const { budget, calls } = fleet;
        const { client, close } = await (CLIENTS['redis 6'] as Connect)(this.server.port);
        this.#connections.push({ client, close });
        const watch = new RedisBudgetStore(client, { budget, timeoutMs: 10_000 });
        const limit = Math.floor(3 * calls * CALL * 0.4);
        const worker = [WORKER, '--replicas', '1'];
        const report = await runFleet(worker, this.server, watch, limit, fleet);
        await answering(watch);
        const { spent } = await watch.totals();
        console.info(
          `Redis with failover: ${JSON.stringify({ budget, limit, spent: spent.tokens, ...report })}`,
        );
        expect(report.most).toBeLessThanOrEqual(limit);
        expect(report.most).toBeGreaterThan(0.9 * limit);
        expect(spent.tokens).toBeGreaterThanOrEqual(report.settled);
        expect(spent.tokens).toBeLessThanOrEqual(report.settling);
        const { killed, stopped, restarted } = report.counts;
        expect(Math.min(killed, stopped, restarted)).toBeGreaterThan(0);
        await advance(this.server.url, 60_000, budget);
        expect(await watch.totals()).toMatchObject({ reserved: NOTHING });
      },
    );
  }
}

/** The circuits that a store tells of. */
export async function knownIn(store: RedisCircuitStore): Promise<readonly string[]> {
  const ids: string[] = [];
  const { known, end } = store.follow((changes) => {
    for (const { id, state } of changes) if (state.status !== 'closed') ids.push(id);
  });
  await known;
  end();
  return ids;
}
