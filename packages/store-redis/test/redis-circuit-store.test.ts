import { setImmediate as turn } from 'node:timers/promises';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_REDIS, type RedisServer, startRedis } from '../../../test/servers/redis-server.ts';
import { RedisCircuitStore, type RedisCircuitStoreOptions } from '../src/index.ts';
import { advanceCircuits } from './support/advance.ts';
import { CLIENTS, type Connect } from './support/clients.ts';

const connect = CLIENTS['redis 6'] as Connect;
const COOLDOWN_MS = 60_000;
const TURN = { kind: 'turn', agent: 'writer' } as const;

const MOST_MS = 20_000;
/** How fast the clock goes: so slowly that answers come before questions are given up. */
const STEP = { everyMs: 20, ms: 100 };

/** Waits until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const from = performance.now(); performance.now() - from < MOST_MS; ) {
    if (await isSo()) return;
    await turn();
  }
  throw new Error('it never was so');
}

/** Waits until something is so once the server was asked again. */
async function untilPolled(
  clock: FakeClock,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  let due = 0;
  await until(() => {
    if (performance.now() >= due) {
      clock.advance(STEP.ms);
      due = performance.now() + STEP.everyMs;
    }
    return isSo();
  });
}

describe.skipIf(!HAS_REDIS)('RedisCircuitStore (needs redis-server)', () => {
  let server: RedisServer;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(async () => {
    for (const end of ends) end();
    await server.stop();
  });

  /** A process of a fleet. Without its own timers, it hears of changes by its subscription alone. */
  const begin = async (fleet: string, more: RedisCircuitStoreOptions = {}) => {
    const [one, other] = [await connect(server.port), await connect(server.port)];
    const clock = new FakeClock();
    const { timers } = clock;
    const subscriber = other.client as never;
    const circuits = new RedisCircuitStore(one.client, { fleet, subscriber, timers, ...more });
    ends.push(() => circuits.close(), one.close, other.close);
    const options: BreakerOptions = { cooldownMs: COOLDOWN_MS, circuits, timers, judge: false };
    const errors: unknown[] = [];
    const breaker = new Breaker(options);
    breaker.on('error', ({ error }) => errors.push(error));
    return { breaker, clock, errors, chat: () => breaker.conversation('chat') };
  };
  type Member = Awaited<ReturnType<typeof begin>>;
  const admits = async ({ chat }: Member): Promise<boolean> =>
    (await chat().admit(TURN)).isAdmitted;

  /** Opens the circuit of a process as a loop does, and waits until the server knows. */
  const trip = async ({ chat, breaker }: Member, listener: Member): Promise<void> => {
    for (let i = 0; i < 50 && chat().trip === undefined; i++) {
      const call = { kind: 'tool-call', agent: 'writer', tool: 'look', args: { page: 1 } } as const;
      breaker.conversation('chat').observe({ ...call, result: 'nothing' });
    }
    await until(() => listener.chat().trip !== undefined);
  };

  it('[RDC1] opens a circuit in each process at once, and sends one probe for all', async () => {
    const members = [await begin('probe'), await begin('probe'), await begin('probe')] as const;
    const [one, other] = members;
    for (const member of members) expect(await admits(member)).toBe(true);
    await trip(one, other);
    expect(other.chat().trip).toMatchObject({
      kind: one.chat().trip?.kind,
      evidence: { signals: [] },
    });
    await advanceCircuits(server.url, COOLDOWN_MS, 'probe');
    // Each of them takes over what the server says now.
    for (const { breaker } of members) breaker.restore(breaker.snapshot());
    const asked = await Promise.all([...members, ...members].map(admits));
    expect(asked.filter(Boolean)).toHaveLength(1);
  });

  it('[RDC2] goes on with the back-off of a fleet that was restarted', async () => {
    const [one, other] = [await begin('restart'), await begin('restart')];
    await trip(one, other);
    await advanceCircuits(server.url, COOLDOWN_MS, 'restart');
    const prober = await begin('restart');
    const admission = await prober.chat().admit(TURN);
    if (admission.isAdmitted) admission.permit.release();
    await until(() => {
      const { state } = other.chat();
      return state.status === 'open' && state.openings === 2;
    });
    const restarted = await begin('restart');
    expect(await admits(restarted)).toBe(false);
    const { state } = restarted.chat();
    const waitMs = state.status === 'open' ? state.probeFrom - state.openedAt : 0;
    expect(waitMs).toBe(2 * COOLDOWN_MS);
  });

  it('[RDC3] stops all by hand, until any process resets them', async () => {
    const [one, other] = [await begin('halt'), await begin('halt')];
    one.breaker.stop('enough');
    await until(() => other.breaker.conversation('new').trip?.reason === 'enough');
    other.breaker.reset();
    await until(() => one.breaker.stopped.length === 0);
    expect(await admits(one)).toBe(true);
  });

  it('[RDC4] hears of changes by asking, too', async () => {
    const [one, other] = [
      await begin('poll'),
      await begin('poll', { subscriber: undefined as never }),
    ];
    expect(await admits(other)).toBe(true);
    one.chat().stop('enough');
    await untilPolled(other.clock, () => other.chat().trip?.reason === 'enough');
  });

  it('[RDC5] leaves each process its own circuits while the server is away, and tells of them later', async () => {
    const own = await startRedis();
    const client = await connect(own.port);
    const clock = new FakeClock();
    const circuits = new RedisCircuitStore(client.client, { timers: clock.timers, attempts: 1 });
    const errors: unknown[] = [];
    const breaker = new Breaker({ circuits, timers: clock.timers, judge: false });
    breaker.on('error', ({ error }) => errors.push(error));
    expect((await breaker.admit(TURN)).isAdmitted).toBe(true);
    await own.kill();
    breaker.stop('enough');
    await until(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ code: 'UNREACHABLE_SERVER' });
    expect((await breaker.admit(TURN)).isAdmitted).toBe(false);
    await own.restart();
    const late = await connect(own.port);
    const told = new RedisCircuitStore(late.client, { timers: clock.timers });
    const other = new Breaker({ circuits: told, judge: false });
    await untilPolled(clock, () => other.conversation().trip?.reason === 'enough');
    told.close();
    for (const end of [() => circuits.close(), client.close, late.close]) end();
    await own.stop();
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
