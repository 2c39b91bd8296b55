import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CircuitFleets,
  type CircuitPlace,
  outlivesItsServer,
  tellsAllAfterSetBack,
} from '../../../../test/servers/circuit-fleet.ts';
import { HAS_REDIS, type RedisServer, startRedis } from '../../../../test/servers/redis-server.ts';
import { aTrip } from '../../../core/test/support/signals.ts';
import { RedisCircuitStore } from '../../src/redis/index.ts';
import { advanceCircuits } from './support/advance.ts';
import { CLIENTS, type Connect } from './support/clients.ts';

const connect = CLIENTS['redis 6'] as Connect;

/** Circuits on a server. */
function placeAt({ port, url }: RedisServer): CircuitPlace {
  return {
    async open({ isPolling = false, ...options }) {
      const [one, other] = [await connect(port), await connect(port)];
      const own = !isPolling && { subscriber: other.client as never };
      const circuits = new RedisCircuitStore(one.client, { ...options, ...own });
      const close = async (): Promise<void> => {
        circuits.close();
        for (const { close: end } of [one, other]) end();
      };
      return { circuits, close };
    },
    advance: (ms, fleet) => advanceCircuits(url, ms, fleet),
  };
}

describe.skipIf(!HAS_REDIS)('RedisCircuitStore (needs redis-server)', () => {
  let server: RedisServer;
  let fleets: CircuitFleets;

  beforeAll(async () => {
    server = await startRedis();
    fleets = new CircuitFleets(placeAt(server));
  });

  afterAll(async () => {
    await fleets.close();
    await server.stop();
  });

  it('[RDC1] opens a circuit in each process at once, and sends one probe for all', () =>
    fleets.opensInAllAndProbesOnce());

  it('[RDC2] goes on with the back-off of a fleet that was restarted', () =>
    fleets.goesOnWithItsBackOff());

  it('[RDC3] stops all by hand, until any process resets them', () => fleets.stopsAllByHand());

  it('[SHC12] tells a process whose options differ from those of the ones before', () =>
    fleets.tellsOptionsThatDiffer());

  it('[RDC4] hears of changes by asking, too', () => fleets.hearsByAsking());

  it('[RDC5] leaves each process its own circuits while the server is away, and tells of them later', async () => {
    const own = await startRedis();
    await outlivesItsServer(placeAt(own), own);
    await own.stop();
  });

  it('[RDC8] tells each process of what is open now when a replica that lagged behind takes over', async () => {
    const admin = await createClient({ url: server.url }).connect();
    await tellsAllAfterSetBack(placeAt(server), async (fleet, lost) => {
      const base = `teamfuse:{${encodeURIComponent(fleet)}}:`;
      await admin.hDel(`${base}circuits`, lost);
      for (const part of ['changed', 'ends']) await admin.zRem(base + part, lost);
      await admin.hIncrBy(`${base}counts`, 'changes', -1);
    });
    admin.destroy();
  });

  it('[RDC9] goes on when the server has lost a part of what it keeps', async () => {
    const admin = await createClient({ url: server.url }).connect();
    const { client, close } = await connect(server.port);
    for (const part of ['circuits', 'changed', 'ends', 'counts']) {
      const store = new RedisCircuitStore(client, { fleet: `without ${part}` });
      const stop = { type: 'stop', trip: aTrip('enough') } as const;
      await store.apply('a', stop, 1_000);
      const base = `teamfuse:{without%20${part}}:`;
      await admin.del(base + part);
      // What is there is due to be forgotten.
      await admin.zAdd(`${base}ends`, { score: 1, value: 'a' }, { condition: 'XX' });
      expect(await store.apply('b', stop, 1_000)).toMatchObject({ state: { status: 'stopped' } });
      store.close();
    }
    close();
    admin.destroy();
  });

  it('[RDC6] refuses what is no client, and options that are wrong', async () => {
    const { client, close } = await connect(server.port);
    expect(() => new RedisCircuitStore({} as never)).toThrow("option 'client'");
    expect(() => new RedisCircuitStore(client, { subscriber: {} as never })).toThrow(
      "option 'subscriber': expected a connected client of redis or ioredis",
    );
    expect(() => new RedisCircuitStore(client, { pollMs: 1 })).toThrow("option 'pollMs'");
    close();
  });
});
