import { describe, expect, it } from 'vitest';
import { CALL_BY_CALL, WITH_LEASES } from '../../../../test/fleet/fleets.ts';
import { flushed } from '../../../../test/servers/flushed.ts';
import { HAS_REDIS } from '../../../../test/servers/redis-server.ts';
import { AMOUNT, Failover, knownIn, STOP } from './support/failover.ts';

describe.skipIf(!HAS_REDIS)('a Redis whose replica takes over (needs redis-server)', () => {
  const failover = new Failover();

  failover.testClients(['ioredis 6', 'ioredis 5']);

  it('[RDS10] keeps a settlement until a replica has it', async () => {
    const store = await failover.open(1);
    failover.server.holdBack();
    await store.settle('a', AMOUNT);
    expect(store.unsettled).toBe(1);
    await failover.server.kill();
    await failover.server.restart();
    await flushed(store);
    expect((await store.totals()).spent).toEqual(AMOUNT);
  });

  it('[RDS10] waits for replicas also where the change was made before', async () => {
    await (await failover.open(1)).settle('a', AMOUNT);
    const [, before] = await failover.server.callsOf('set');
    await (await failover.open(1)).settle('a', AMOUNT);
    expect(await failover.server.callsOf('set')).toEqual([before + 1, before + 1]);
  });

  it('[RDS10] takes nothing for confirmed because it is asked again over another connection', async () => {
    const [one, other] = [await failover.open(1), await failover.open(1)];
    failover.server.holdBack();
    for (const store of [one, other]) await store.settle('a', AMOUNT);
    expect([one.unsettled, other.unsettled]).toEqual([1, 1]);
  });

  it('[RDS10] says how many replicas were missing', async () => {
    await (await failover.open(1)).reserve('a', AMOUNT, {}); // from now on the server knows the script
    const store = await failover.open(2);
    const error = await store.reserve('a', AMOUNT, {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      cause: { message: '1 of 2 replicas have confirmed a change' },
    });
  });

  failover.testComeback([{ replicas: 0, what: 'grants calls, without replicas' }]);

  it('[RDC7] may forget a circuit that it has confirmed, without replicas', async () => {
    const circuits = await failover.openCircuits(0);
    failover.server.holdBack();
    expect((await circuits.apply('cchat', STOP, 1_000)).state.status).toBe('stopped');
    await failover.server.kill();
    await failover.server.promote();
    expect(await knownIn(await failover.openCircuits(0))).toEqual([]);
  });

  failover.testFleets([CALL_BY_CALL, WITH_LEASES]);
});
