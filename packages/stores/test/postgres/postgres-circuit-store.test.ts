import { type CircuitState, InvalidOptionError } from '@teamfuse/core';
import { circuitStoreContract, FakeClock } from '@teamfuse/testing';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CircuitFleets,
  type CircuitPlace,
  outlivesItsServer,
  tellsAllAfterSetBack,
} from '../../../../test/servers/circuit-fleet.ts';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../../test/servers/postgres-server.ts';
import { migrate, PostgresCircuitStore } from '../../src/postgres/index.ts';
import { advanceCircuits } from './support/advance.ts';
import { decideAlike, tripOf } from './support/decide-alike.ts';
import { endPool } from './support/end-pool.ts';

/** Circuits on a server. */
function placeAt({ url }: PostgresServer): CircuitPlace {
  return {
    async open({ isPolling = false, ...options }) {
      const pool = new Pool({ connectionString: url, max: 2 });
      const subscriber = new Client({ connectionString: url });
      // A server that is killed is an error to both.
      pool.on('error', () => {});
      subscriber.on('error', () => {});
      if (!isPolling) await subscriber.connect();
      const own = !isPolling && { subscriber };
      const circuits = new PostgresCircuitStore(pool, { ...options, ...own });
      const close = async (): Promise<void> => {
        circuits.close();
        if (!isPolling) await subscriber.end();
        await endPool(pool);
      };
      return { circuits, close };
    },
    async advance(ms, fleet) {
      const client = new Client({ connectionString: url });
      await client.connect();
      await advanceCircuits(client, ms, fleet);
      await client.end();
    },
  };
}

describe.skipIf(!HAS_POSTGRES)('PostgresCircuitStore (needs postgresql)', () => {
  let server: PostgresServer;
  let pool: Pool;
  let place: CircuitPlace;
  let fleets: CircuitFleets;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url, max: 4 });
    await migrate(pool);
    place = placeAt(server);
    fleets = new CircuitFleets(place);
  });

  afterAll(async () => {
    for (const close of closing) await close();
    await fleets.close();
    await endPool(pool);
    await server.stop();
  });

  const make = async ({ fleet }: { readonly fleet: string }) => {
    const { circuits, close } = await place.open({ fleet, timers: new FakeClock().timers });
    closing.push(close);
    return circuits;
  };
  const checks = circuitStoreContract(make, (ms, fleet) => advanceCircuits(pool, ms, fleet));
  for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);

  it('[PGC1] opens a circuit in each process at once, and sends one probe for all', () =>
    fleets.opensInAllAndProbesOnce());

  it('[PGC2] goes on with the back-off of a fleet that was restarted', () =>
    fleets.goesOnWithItsBackOff());

  it('[PGC3] stops all by hand, until any process resets them', () => fleets.stopsAllByHand());

  it('[SHC12] tells a process whose options differ from those of the ones before', () =>
    fleets.tellsOptionsThatDiffer());

  it('[PGC4] hears of changes by asking, too', () => fleets.hearsByAsking());

  it('[PGC5] leaves each process its own circuits while the server is away, and tells of them later', async () => {
    const own = await startPostgres();
    const client = new Client({ connectionString: own.url });
    await client.connect();
    await migrate(client);
    await client.end();
    await outlivesItsServer(placeAt(own), own);
    await own.stop();
  });

  it('[PGC7] decides as the circuit of core does, whatever happens to it', () =>
    decideAlike(pool, 8));

  it('[PGC8] keeps any id apart from all others, also those that a text of PostgreSQL cannot hold', async () => {
    const ids = [
      '',
      'a',
      'a\u0000',
      'a\\0',
      '\ud800',
      '\udfff',
      '\ufffd',
      'x'.repeat(1_000),
      `${'x'.repeat(999)}y`,
    ];
    const store = new PostgresCircuitStore(pool, { fleet: 'ids\u0000' });
    const others = ['ids\\0', 'ids\ud800', 'ids\udfff', `${'i'.repeat(99)}${'💧'.repeat(500)}`].map(
      (fleet) => new PostgresCircuitStore(pool, { fleet }),
    );
    for (const [at, id] of ids.entries()) {
      await store.apply(id, { type: 'stop', trip: tripOf(`${at}`) }, 1_000);
    }
    const heard = new Map<string, CircuitState>();
    const following = store.follow((changes) => {
      for (const { id, state } of changes) heard.set(id, state);
    });
    await following.known;
    const reasons = ids.map((id) => Object(heard.get(id)).trip?.reason);
    expect(reasons).toEqual(ids.map((_, at) => `${at}`));
    following.end();
    for (const other of others) {
      const { state } = await other.apply('a', { type: 'probe', probeId: 1 }, 1_000);
      expect(state.status).toBe('closed');
      await other.apply('a', { type: 'stop', trip: tripOf('its own') }, 1_000);
      other.close();
    }
    store.close();
  });

  it.each([
    ['nothing else happens', false],
    ['another one changes', true],
  ])(
    '[PGC9] tells of a circuit that was closed so long ago that it is forgotten, where %s',
    async (_, isMore) => {
      const fleet = `old ${isMore}`;
      const { timers, advance } = clockOf();
      const store = new PostgresCircuitStore(pool, { fleet, timers });
      await store.apply('a', { type: 'stop', trip: tripOf('one') }, 1_000);
      const heard = new Map<string, string>();
      const following = store.follow((changes) => {
        for (const { id, state } of changes) heard.set(id, state.status);
      });
      await following.known;
      expect(heard.get('a')).toBe('stopped');
      await store.apply('a', { type: 'reset' }, 1_000);
      await advanceCircuits(pool, 3_600_000, fleet);
      if (isMore) await store.apply('b', { type: 'stop', trip: tripOf('two') }, 1_000);
      await expect.poll(() => advance() ?? heard.get('a')).toBe('closed');
      store.close();
    },
  );

  it('[PGC10] tells each process of what is open now when the database was set back', () =>
    tellsAllAfterSetBack(place, async (fleet, lost) => {
      const gone = 'DELETE FROM teamfuse.circuit WHERE fleet = $1 AND name = $2';
      await pool.query(gone, [fleet, JSON.stringify(lost)]);
      await pool.query('UPDATE teamfuse.fleet SET changes = changes - 1 WHERE fleet = $1', [fleet]);
    }));
});

describe('PostgresCircuitStore', () => {
  it('[PGC6] refuses what is no client, and options that are wrong', () => {
    const pool = new Pool();
    expect(() => new PostgresCircuitStore({} as never)).toThrow(InvalidOptionError);
    for (const subscriber of [{}, pool]) {
      expect(() => new PostgresCircuitStore(pool, { subscriber: subscriber as never })).toThrow(
        "option 'subscriber': expected a connected client of pg",
      );
    }
    expect(() => new PostgresCircuitStore(pool, { pollMs: 1 })).toThrow("option 'pollMs'");
  });
});

/** Timers, and what lets the next poll come. */
function clockOf(): Pick<FakeClock, 'timers'> & { advance(): undefined } {
  const clock = new FakeClock();
  const advance = (): undefined => {
    clock.advance(1_000);
  };
  return { timers: clock.timers, advance };
}
