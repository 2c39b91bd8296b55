import {
  readServerStoreOptions,
  ServerBudgetStore,
} from '../../packages/stores/src/server/index.ts';
import type { SliceRule } from '../../packages/stores/src/server/lease/slice.ts';
import { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import { ServerBooks } from '../servers/server-books.ts';
import { Machine } from './machine.ts';
import { FAIR, Wire } from './wire.ts';
import { World } from './world.ts';

/** What is simulated. */
export interface Scenario {
  readonly processes: number;
  /** Calls a second of all processes together. Some have many, most have few. */
  readonly perSecond: number;
  readonly seconds: number;
  /** The part of what all calls would take that the budget suffices for. */
  readonly enough: number;
}

/** What came of it. */
export interface Outcome {
  readonly calls: number;
  /** Round trips for each call, admission and settlement together, after the first fifth of the budget and before the last two. */
  readonly trips: number;
  readonly refused: number;
  /** Seconds until the first one was refused. */
  readonly lastedS: number;
  /** Refused, though it would have fitted beside what calls had taken and might take. */
  readonly stranded: number;
  /** The part of the budget that calls had taken or might take when the first one was refused. */
  readonly usedThen: number;
  /** The part of the budget that leases held for no call at that time. */
  readonly idleThen: number;
  /** The part of the budget that calls took whose process went down before it had told the server. */
  readonly lost: number;
  /** By how much the server's books were beyond the limit at most. */
  readonly overshoot: number;
}

const SMALLEST = 500;
const LARGEST = 200_000;
/** The mean of what a call reserves, measured once; a tail as heavy as this one has no handy formula. */
const MEAN = 1_860;
const MEAN_PART = 0.65;
const CALL_MS = 2_000;
const LIFE_MS = 60_000;
/** Round trips are counted while so much is used: once all processes are under way, and before the budget runs low. */
const STEADY = { from: 0.2, to: 0.6 };

/** Plays one scenario under one rule. The same seed draws the same calls, crashes and clocks for each rule. */
export async function simulate(
  { processes, perSecond, seconds, enough }: Scenario,
  rule: SliceRule | undefined,
  seed: number,
): Promise<Outcome> {
  const world = new World();
  const books = new ServerBooks(world.now);
  const limit = Math.floor(perSecond * seconds * MEAN * MEAN_PART * enough);
  const network = { random: new SeededRandom(seed + 1), sent: 0 };
  const told = {
    calls: 0,
    refused: 0,
    lastedS: seconds,
    stranded: 0,
    overshoot: 0,
    usedThen: 1,
    idleThen: 0,
    trips: 0,
  };
  let [taken, underWay, sentFrom, callsFrom] = [0, 0, 0, 0];
  let machines = 0;

  const start = (share: number, random: SeededRandom, from: number): void => {
    const rate = 0.98 + random.below(40) / 1_000;
    machines++;
    const machine = new Machine(world, rate, random.below(1e9));
    const wire = new Wire(world, machine, books, network.random, FAIR, () => network.sent++);
    const { now, timers } = machine;
    const lease = rule !== undefined;
    const store = new ServerBudgetStore(wire, readServerStoreOptions({ lease, now, timers }), rule);
    let own = 0;
    const call = async (id: string, tokens: number, actual: number, ms: number): Promise<void> => {
      told.calls++;
      const { isGranted } = await store.reserve(id, of(tokens), { tokens: limit });
      const { spent, reserved } = books.totals();
      const used = spent.tokens + reserved.tokens;
      told.overshoot = Math.max(told.overshoot, used - limit);
      const part = (taken + underWay) / limit;
      if (part < STEADY.from) [sentFrom, callsFrom] = [network.sent, told.calls];
      else if (part < STEADY.to) told.trips = (network.sent - sentFrom) / (told.calls - callsFrom);
      if (!isGranted) {
        if (told.refused++ === 0) {
          told.lastedS = world.now() / 1_000;
          told.usedThen = (taken + underWay) / limit;
          told.idleThen = (used - taken - underWay) / limit;
        }
        if (taken + underWay + tokens <= limit) told.stranded++;
        return;
      }
      underWay += tokens;
      own += tokens;
      machine.after(ms, () => {
        underWay -= tokens;
        own -= tokens;
        taken += actual;
        void store.settle(id, of(actual));
      });
    };
    const next = (): void => {
      if (world.now() >= seconds * 1_000) return;
      const burst = random.oneIn(10) ? 1 + random.below(19) : 1;
      for (let i = 0; i < burst; i++) {
        const tokens = sizeOf(random);
        const part = (30 + random.below(71)) / 100;
        const ms = -Math.log(uniform(random)) * CALL_MS;
        void call(`${machines} ${told.calls}`, tokens, Math.ceil(part * tokens), ms);
      }
      // One burst of ten is of ten calls.
      machine.after((-Math.log(uniform(random)) * 1_900) / share, next);
    };
    machine.after(from, next);
    if (!random.oneIn(5)) return;
    world.after(random.below(seconds * 1_000), () => {
      machine.goDown();
      // What it held is free again once the server has forgotten it.
      world.after(LIFE_MS, () => {
        underWay -= own;
      });
      start(share, random, 1_000);
    });
  };
  const seeds = new SeededRandom(seed);
  const shares = Array.from({ length: processes }, () => uniform(seeds) ** -0.5);
  const all = shares.reduce((sum, share) => sum + share, 0);
  for (const share of shares) {
    const random = new SeededRandom(seeds.below(2 ** 30));
    start((perSecond * share) / all, random, random.below(2_000));
  }
  await world.run(seconds * 1_000 + 100_000);
  return { ...told, lost: (taken - books.totals().spent.tokens) / limit };
}

/** What a call reserves: a Pareto distribution, cut off. */
function sizeOf(random: SeededRandom): number {
  return Math.floor(Math.min(SMALLEST * uniform(random) ** (-1 / 1.3), LARGEST));
}

function uniform(random: SeededRandom): number {
  return (1 + random.below(1_000_000)) / 1_000_001;
}

function of(tokens: number) {
  return { nanoUsd: 0, tokens };
}
