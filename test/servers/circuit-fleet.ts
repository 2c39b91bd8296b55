import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { Breaker, type BreakerOptions, type Conversation } from '../../packages/core/src/index.ts';
import type { Timers } from '../../packages/core/src/kit.ts';
import { aTrip } from '../../packages/core/test/support/signals.ts';
import { type CircuitStore, shared } from '../../packages/stores/src/fleet/index.ts';
import { FakeClock } from '../../packages/testing/src/index.ts';
import type { TestServer } from './program.ts';

/** How a process opens a store of circuits. */
export interface OpenCircuits {
  readonly fleet: string;
  readonly timers: Timers;
  /** Whether it hears of changes by asking alone. */
  readonly isPolling?: boolean;
  readonly attempts?: number;
}

/** A store of a process, which closes with its connections. */
export interface OpenedCircuits {
  readonly circuits: CircuitStore;
  close(): Promise<void>;
}

/** A server that keeps circuits. */
export interface CircuitPlace {
  open(options: OpenCircuits): Promise<OpenedCircuits>;
  /** Lets the time of a fleet pass. */
  advance(ms: number, fleet: string): Promise<void>;
}

/** A process of a fleet. */
interface Member {
  readonly breaker: Breaker;
  readonly clock: FakeClock;
  chat(): Conversation;
}

const COOLDOWN_MS = 60_000;
const TURN = { kind: 'turn', agent: 'writer' } as const;
const MOST_MS = 20_000;
/** How fast the clock goes: so slowly that answers come before questions are given up. */
const STEP = { everyMs: 20, ms: 100 };

/** Fleets that share their circuits on one server. */
export class CircuitFleets {
  readonly #place: CircuitPlace;
  readonly #opened: OpenedCircuits[] = [];

  constructor(place: CircuitPlace) {
    this.#place = place;
  }

  async close(): Promise<void> {
    for (const one of this.#opened) await one.close();
  }

  async opensInAllAndProbesOnce(): Promise<void> {
    const fleet = 'probe';
    const members = [await this.#begin(fleet), await this.#begin(fleet), await this.#begin(fleet)];
    const [one, other] = members as [Member, Member];
    for (const member of members) expect(await admits(member)).toBe(true);
    await this.#trip(one, other);
    expect(other.chat().trip).toMatchObject({
      kind: one.chat().trip?.kind,
      evidence: { signals: [] },
    });
    await this.#place.advance(COOLDOWN_MS, fleet);
    // Each of them takes over what the server says now.
    for (const { breaker } of members) breaker.restore(breaker.snapshot());
    const asked = await Promise.all([...members, ...members].map(admits));
    expect(asked.filter(Boolean)).toHaveLength(1);
  }

  async goesOnWithItsBackOff(): Promise<void> {
    const fleet = 'restart';
    const [one, other] = [await this.#begin(fleet), await this.#begin(fleet)];
    await this.#trip(one, other);
    await this.#place.advance(COOLDOWN_MS, fleet);
    const prober = await this.#begin(fleet);
    const admission = await prober.chat().admit(TURN);
    if (admission.isAdmitted) admission.permit.release();
    await until(() => {
      const { state } = other.chat();
      return state.status === 'open' && state.openings === 2;
    });
    const restarted = await this.#begin(fleet);
    expect(await admits(restarted)).toBe(false);
    const { state } = restarted.chat();
    const waitMs = state.status === 'open' ? state.probeFrom - state.openedAt : 0;
    expect(waitMs).toBe(2 * COOLDOWN_MS);
  }

  async stopsAllByHand(): Promise<void> {
    const [one, other] = [await this.#begin('halt'), await this.#begin('halt')];
    one.breaker.stop('enough');
    await until(() => other.breaker.conversation('new').trip?.reason === 'enough');
    other.breaker.reset();
    await until(() => one.breaker.stopped.length === 0);
    expect(await admits(one)).toBe(true);
  }

  async hearsByAsking(): Promise<void> {
    const [one, other] = [await this.#begin('poll'), await this.#begin('poll', true)];
    expect(await admits(other)).toBe(true);
    one.chat().stop('enough');
    await untilPolled(other.clock, () => other.chat().trip?.reason === 'enough');
  }

  async tellsOptionsThatDiffer(): Promise<void> {
    const told: unknown[][] = [];
    const begin = async (options: BreakerOptions): Promise<void> => {
      const { breaker } = await this.#begin('differing', false, options);
      const errors: unknown[] = [];
      told.push(errors);
      breaker.on('error', ({ error }) => errors.push(error));
      await breaker.admit(TURN);
    };
    await begin({});
    await begin({ maxTurns: 5 });
    await begin({ cooldownMs: 5_000 });
    await until(() => told[2]?.length === 1);
    const options = [{ name: 'cooldownMs', own: '5000', before: String(COOLDOWN_MS) }];
    expect(told).toMatchObject([[], [], [{ code: 'DIFFERENT_OPTIONS', options }]]);
    await begin({ cooldownMs: 5_000, scope: 'breaker' });
    await until(() => told[3]?.length === 1);
    expect(String(told[3])).toContain('shared circuits with scope: breaker, and');
  }

  /** A process of a fleet. Without its own timers, it hears of changes by messages alone. */
  async #begin(fleet: string, isPolling = false, more: BreakerOptions = {}): Promise<Member> {
    const clock = new FakeClock();
    const { timers } = clock;
    const opened = await this.#place.open({ fleet, timers, isPolling });
    this.#opened.push(opened);
    const { circuits } = opened;
    const options: BreakerOptions = {
      cooldownMs: COOLDOWN_MS,
      circuits: shared(circuits),
      timers,
      judge: false,
      ...more,
    };
    const breaker = new Breaker(options);
    return { breaker, clock, chat: () => breaker.conversation('chat') };
  }

  /** Opens the circuit of a process as a loop does, and waits until another one knows. */
  async #trip({ chat }: Member, listener: Member): Promise<void> {
    for (let i = 0; i < 50 && chat().trip === undefined; i++) {
      const call = { kind: 'tool-call', agent: 'writer', tool: 'look', args: { page: 1 } } as const;
      chat().observe({ ...call, result: 'nothing' });
    }
    await until(() => listener.chat().trip !== undefined);
  }
}

/** A server that a test kills and starts again. */
export interface LosableServer extends TestServer {
  restart(): Promise<void>;
}

/** Each process has its own circuits while the server is away, and tells of them later. */
export async function outlivesItsServer(place: CircuitPlace, server: LosableServer): Promise<void> {
  const clock = new FakeClock();
  const { timers } = clock;
  const opened = await place.open({ fleet: 'main', timers, isPolling: true, attempts: 1 });
  const errors: unknown[] = [];
  const breaker = new Breaker({ circuits: shared(opened.circuits), timers, judge: false });
  breaker.on('error', ({ error }) => errors.push(error));
  expect((await breaker.admit(TURN)).isAdmitted).toBe(true);
  await server.kill();
  breaker.stop('enough');
  await until(() => errors.length > 0);
  expect(errors[0]).toMatchObject({ code: 'UNREACHABLE_SERVER' });
  expect((await breaker.admit(TURN)).isAdmitted).toBe(false);
  await server.restart();
  const late = await place.open({ fleet: 'main', timers, isPolling: true });
  const other = new Breaker({ circuits: shared(late.circuits), judge: false });
  await untilPolled(clock, () => other.conversation().trip?.reason === 'enough');
  for (const one of [opened, late]) await one.close();
}

/** After a server was set back to before its latest change, each process hears of what is open now. */
export async function tellsAllAfterSetBack(
  place: CircuitPlace,
  setBack: (fleet: string, lost: string) => Promise<void>,
): Promise<void> {
  const fleet = 'set back';
  const clock = new FakeClock();
  const open = (): Promise<OpenedCircuits> =>
    place.open({ fleet, timers: clock.timers, isPolling: true });
  const opened = [await open(), await open()];
  const [{ circuits }] = opened as [OpenedCircuits];
  const stop = (id: string) => circuits.apply(id, { type: 'stop', trip: aTrip() }, COOLDOWN_MS);
  for (const id of ['a', 'b']) await stop(id);
  const followers = opened.map((one) => new Follower(one.circuits));
  for (const { known } of followers) await known;
  for (const one of followers) expect(one.stopped).toEqual(['a', 'b']);
  const latest = Math.max(...followers.map(({ version }) => version));
  await setBack(fleet, 'b');
  await untilPolled(clock, () => followers.every(({ stopped }) => `${stopped}` === 'a'));
  // What happens from now on is later than all that was told.
  expect((await stop('c')).version).toBeGreaterThan(latest);
  await untilPolled(clock, () => followers.every(({ stopped }) => `${stopped}` === 'a,c'));
  for (const one of opened) await one.close();
}

/** What a process has heard of circuits. */
class Follower {
  readonly known: unknown;
  version = 0;
  readonly #stopped: Set<string> = new Set();

  constructor(circuits: CircuitStore) {
    this.known = circuits.follow((changes) => {
      for (const { id, state, version } of changes) {
        if (state.status === 'stopped') this.#stopped.add(id);
        else this.#stopped.delete(id);
        this.version = Math.max(this.version, version);
      }
    }).known;
  }

  get stopped(): readonly string[] {
    return [...this.#stopped].sort();
  }
}

async function admits({ chat }: Member): Promise<boolean> {
  return (await chat().admit(TURN)).isAdmitted;
}

/** Waits until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (const from = performance.now(); performance.now() - from < MOST_MS; ) {
    if (isSo()) return;
    await turn();
  }
  throw new Error('it never was so');
}

/** Waits until something is so once the server was asked again. */
async function untilPolled(clock: FakeClock, isSo: () => boolean): Promise<void> {
  let due = 0;
  await until(() => {
    if (performance.now() >= due) {
      clock.advance(STEP.ms);
      due = performance.now() + STEP.everyMs;
    }
    return isSo();
  });
}
