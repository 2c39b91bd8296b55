import type { Trip } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';
import { type CircuitEvent, CLOSED, transition } from '@teamfuse/core/sharing';
import type { CircuitStore, StoredChange, StoredCircuit } from '@teamfuse/stores/fleet';
import { FakeClock } from '../fake-clock.ts';
import { SeededRandom } from '../seeded-random.ts';
import { type AsyncContractCheck, type Expect, expecting, sorted } from './contract-check.ts';

/** What a circuit store of the contract is made with. */
export interface CircuitStoreSetup {
  /** The clock to go by, in milliseconds, of a store without a server. */
  readonly now: () => number;
  /** Stores of one name share their circuits. */
  readonly fleet: string;
}

/** Makes a store. Two of one fleet share their circuits. */
export type MakeCircuitStore = (setup: CircuitStoreSetup) => MaybePromise<CircuitStore>;

/** Makes all that is kept of a fleet older, where the clock of its server cannot be moved. */
export type AdvanceFleet = (ms: number, fleet: string) => MaybePromise<void>;

type Rule = readonly [
  id: string,
  title: string,
  check: (expect: Expect, fleet: FleetOfCheck) => Promise<void>,
];

const COOLDOWN_MS = 60_000;
const STEPS = 400;
const ASKED = 50;
const TIMES = ['openedAt', 'probeFrom', 'probeUntil'];
/** How often it is looked whether something was told. */
const MOST_LOOKS = 10_000;

let checks = 0;

class FleetOfCheck {
  readonly #make: MakeCircuitStore;
  readonly #advance: AdvanceFleet | undefined;
  readonly #clock: FakeClock = new FakeClock(1_000_000_000);
  readonly #fleet: string = `check {${++checks}}`;
  /** How much older the server was made. */
  #olderMs = 0;

  constructor(make: MakeCircuitStore, advance: AdvanceFleet | undefined) {
    this.#make = make;
    this.#advance = advance;
  }

  store(): MaybePromise<CircuitStore> {
    return this.#make({ now: this.#clock.now, fleet: this.#fleet });
  }

  async advance(ms: number): Promise<void> {
    this.#clock.advance(ms);
    if (this.#advance === undefined) return;
    this.#olderMs += ms;
    await this.#advance(ms, this.#fleet);
  }

  /** What a store says, by a clock that is moved. */
  moved({ state, at, version }: StoredCircuit): StoredCircuit {
    const times = Object.entries(state).map(([name, value]) => [
      name,
      TIMES.includes(name) ? value + this.#olderMs : value,
    ]);
    return { state: Object.fromEntries(times), at: at + this.#olderMs, version };
  }
}

/** What a follower has heard. */
class Ears {
  readonly heard: Map<string, StoredChange> = new Map();
  readonly #end: () => void;
  readonly known: MaybePromise<void>;

  constructor(store: CircuitStore) {
    const { known, end } = store.follow((changes) => {
      for (const change of changes) this.heard.set(change.id, change);
    });
    this.known = known;
    this.#end = end;
  }

  statusOf(id: string): string | undefined {
    return this.heard.get(id)?.state.status;
  }

  /** Waits until the last that was heard of a circuit is this. */
  async hears(id: string, status: string): Promise<boolean> {
    for (let look = 0; look < MOST_LOOKS; look++) {
      if (this.statusOf(id) === status) return true;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, 0);
      });
    }
    return false;
  }

  end(): void {
    this.#end();
  }
}

const RULES: readonly Rule[] = [
  [
    'CST1',
    'does with each event what transition() does',
    async (expect, fleet) => {
      const store = await fleet.store();
      const random = new SeededRandom(5);
      const model = new Map<string, ReturnType<typeof transition>>();
      let { version } = await store.apply('chat', { type: 'reset' }, COOLDOWN_MS);
      let at = 0;
      for (let step = 0; step < STEPS; step++) {
        const id = `chat ${random.below(3)}`;
        const event = anyEvent(random);
        const before = model.get(id) ?? CLOSED;
        const answer = fleet.moved(await store.apply(id, event, COOLDOWN_MS));
        const expected = transition(before, event, answer.at, COOLDOWN_MS);
        model.set(id, expected);
        expect(`the circuit after ${event.type}`, sorted(answer.state), sorted(expected));
        expect('whether the version grew', answer.version > version, expected !== before);
        expect('whether time went on', answer.at >= at, true);
        version = Math.max(version, answer.version);
        at = answer.at;
        if (random.oneIn(3)) await fleet.advance(random.below(2 * COOLDOWN_MS));
      }
    },
  ],
  [
    'CST2',
    'tells all stores of a change, and who has ended no more',
    async (expect, fleet) => {
      const [one, other] = [await fleet.store(), await fleet.store()];
      const ears = [new Ears(one), new Ears(other)] as const;
      for (const { known } of ears) await known;
      await one.apply('a', { type: 'trip', trip: tripOf('loop') }, COOLDOWN_MS);
      for (const ear of ears)
        expect('the opening that is told', await ear.hears('a', 'open'), true);
      ears[0].end();
      await other.apply('a', { type: 'reset' }, COOLDOWN_MS);
      expect('the closing that is told', await ears[1].hears('a', 'closed'), true);
      expect('what is told after the end', ears[0].statusOf('a'), 'open');
      ears[1].end();
    },
  ],
  [
    'CST3',
    'tells who begins to follow of all circuits that are not closed',
    async (expect, fleet) => {
      const store = await fleet.store();
      const trip = tripOf('loop');
      for (const id of ['a', 'b', 'c']) await store.apply(id, { type: 'trip', trip }, COOLDOWN_MS);
      await store.apply('b', { type: 'reset' }, COOLDOWN_MS);
      await store.apply('c', { type: 'stop', trip: tripOf('by hand') }, COOLDOWN_MS);
      const ears = new Ears(await fleet.store());
      await ears.known;
      const open = [...ears.heard].filter(([, { state }]) => state.status !== 'closed');
      const told = open.map(([id, { state }]) => [id, state.status]).sort();
      expect('what is told', told, [
        ['a', 'open'],
        ['c', 'stopped'],
      ]);
      ears.end();
    },
  ],
  [
    'CST4',
    'grants one probe, however many ask for it at once',
    async (expect, fleet) => {
      const stores = [await fleet.store(), await fleet.store()] as const;
      await stores[0].apply('a', { type: 'trip', trip: tripOf('loop') }, COOLDOWN_MS);
      await fleet.advance(COOLDOWN_MS);
      const asked = Array.from({ length: ASKED }, async (_, probeId) => {
        const { state } = await (stores[probeId % 2] ?? stores[0]).apply(
          'a',
          { type: 'probe', probeId },
          COOLDOWN_MS,
        );
        return state.status === 'half-open' && state.probeId === probeId;
      });
      expect('the probes', (await Promise.all(asked)).filter(Boolean).length, 1);
    },
  ],
  [
    'CST5',
    'keeps a trip as it was given',
    async (expect, fleet) => {
      const [one, other] = [await fleet.store(), await fleet.store()];
      const trip = tripOf('said "again" – \u2028 9007199254740993 times');
      await one.apply('a:{b}\n', { type: 'stop', trip }, COOLDOWN_MS);
      const { state } = await other.apply('a:{b}\n', { type: 'probe', probeId: 1 }, COOLDOWN_MS);
      expect('the circuit', sorted(state), sorted({ status: 'stopped', trip }));
    },
  ],
  [
    'CST6',
    'makes the changes of a circuit in the order in which a process asks for them',
    async (expect, fleet) => {
      const store = await fleet.store();
      const left: string[] = [];
      for (let id = 0; id < ASKED; id++) {
        const events: readonly CircuitEvent[] = [
          { type: 'stop', trip: tripOf('by hand') },
          { type: 'reset' },
          { type: 'trip', trip: tripOf('loop') },
        ];
        const asked = events.map((event) => store.apply(`${id}`, event, COOLDOWN_MS));
        await Promise.all(asked);
        // Changes nothing.
        const { state } = await store.apply(
          `${id}`,
          { type: 'probe-passed', probeId: 0 },
          COOLDOWN_MS,
        );
        left.push(state.status);
      }
      expect('what the changes have left', [...new Set(left)], ['open']);
    },
  ],
];

/**
 * The rules that every circuit store keeps, as checks for any test runner. With `advance`, the clock is that of a server.
 *
 * @example
 * ```ts
 * const { MemoryCircuitStore } = await import('@teamfuse/stores/fleet');
 * const fleets = new Map<string, CircuitStore>();
 * const make: MakeCircuitStore = ({ now, fleet }) => {
 *   const store = fleets.get(fleet) ?? new MemoryCircuitStore({ now });
 *   fleets.set(fleet, store);
 *   return store;
 * };
 * for (const { check } of circuitStoreContract(make)) await check();
 * ```
 */
export function circuitStoreContract(
  make: MakeCircuitStore,
  advance?: AdvanceFleet,
): readonly AsyncContractCheck[] {
  return RULES.map(([id, title, check]) => ({
    id,
    title,
    check: () => check(expecting(id), new FleetOfCheck(make, advance)),
  }));
}

function anyEvent(random: SeededRandom): CircuitEvent {
  const probeId = random.below(3);
  const trip = { ...tripOf(`trip ${random.below(100)}`), kind: anyKind(random) } as const;
  const events: readonly CircuitEvent[] = [
    { type: 'trip', trip },
    random.oneIn(2)
      ? { type: 'probe', probeId }
      : { type: 'probe', probeId, lastsMs: COOLDOWN_MS / 4 },
    { type: 'probe-passed', probeId },
    { type: 'probe-failed', probeId },
    { type: 'probe-cancelled', probeId },
    { type: 'stop', trip },
    { type: 'reset' },
  ];
  // Mostly what leads on.
  const most = random.oneIn(3) ? events.length : 4;
  return events[random.below(most)] as CircuitEvent;
}

function anyKind(random: SeededRandom): Trip['kind'] {
  return random.oneIn(2) ? 'manual' : 'custom:loop';
}

function tripOf(reason: string): Trip {
  const counted = { agents: ['writer'], indices: [], count: 3, limit: 2.5 };
  const cost = { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false };
  const evidence = { ...counted, signals: [], cost };
  const about = { conversation: 'a', at: 7, index: 4, agents: ['writer'] };
  return { kind: 'custom:loop', basis: 'certain', reason, ...about, evidence };
}
