import { Machine } from '../../../../test/leases/machine.ts';
import { Wire } from '../../../../test/leases/wire.ts';
import { World } from '../../../../test/leases/world.ts';
import { ServerBooks } from '../../../../test/servers/server-books.ts';
import type { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { readServerStoreOptions, ServerBudgetStore } from '../../src/server/index.ts';

const ROUGH = { lost: 30, twice: 30, late: 100 };
const LIMIT = 100_000;
const PURSES = [
  { name: 'ann', tokens: 30_000 },
  { name: 'bob', tokens: 35_000 },
];
const PLAY_MS = 150_000;
/** Longer than the life of a reservation, and than the network keeps a message. */
const AFTERMATH_MS = 400_000;

const LIFE_MS = 60_000;
const STEP_MS = 50;

/** What came of a scene, in tokens. */
export interface Scene {
  readonly problems: readonly string[];
  /** What was booked for calls that the server had let go of. */
  readonly late: number;
  /** What is reserved at last. */
  readonly reserved: number;
  /** How many calls were admitted from leases. */
  readonly leased: number;
}

/** Several processes that spend one budget, over a bad network, by clocks that are out, while some stand still or go down. */
export async function playLeases(
  random: SeededRandom,
  { longestStandStillMs }: { readonly longestStandStillMs: number },
): Promise<Scene> {
  const world = new World();
  const books = new ServerBooks(world.now);
  const problems: string[] = [];
  const processes: Process[] = [];
  let isOver = false;

  const start = (): void => {
    const rate = 0.95 + random.below(100) / 1_000;
    const machine = new Machine(world, rate, random.below(1e9));
    const weather = random.oneIn(3) ? undefined : ROUGH;
    const wire = new Wire(world, machine, books, random, weather);
    const one = new Process(machine, wire, books, random, problems);
    processes.push(one);
    const next = (): void => {
      if (isOver) return;
      one.call(world.now);
      // Now one after the other, now many at once.
      machine.after(random.oneIn(8) ? random.below(3_000) : random.below(100), next);
    };
    next();
    const disturb = (): void => {
      if (isOver || machine.isDown) return;
      if (random.oneIn(6)) {
        machine.goDown();
        start();
      } else machine.standStill(random.below(longestStandStillMs));
      world.after(random.below(60_000), disturb);
    };
    world.after(random.below(60_000), disturb);
  };
  for (let i = 2 + random.below(4); i > 0; i--) start();

  // Whoever stands still for less than a life loses no lease.
  const isCalm = longestStandStillMs < LIFE_MS;
  for (let at = 0; at < PLAY_MS; at += STEP_MS) {
    await world.run(at);
    check(books, problems);
    for (const one of processes) if (isCalm) one.check();
  }
  isOver = true;
  for (const { wire } of processes) wire.weather = { lost: 0, twice: 0, late: 0 };
  await world.run(PLAY_MS + AFTERMATH_MS);
  const living = processes.filter(({ machine }) => !machine.isDown);
  for (const one of living) void one.store.flush().then(() => one.store.close());
  await world.run(PLAY_MS + 2 * AFTERMATH_MS);
  check(books, problems);
  if (living.some(({ store }) => store.unsettled > 0)) problems.push('settlements wait for ever');
  const { spent, reserved } = books.totals();
  const settled = sum(processes, ({ settled }) => settled);
  const lost = sum(processes, ({ machine, settled }) => (machine.isDown ? settled : 0));
  if (spent.tokens > settled || spent.tokens < settled - lost) {
    problems.push(`${spent.tokens} are booked, and ${settled} were settled`);
  }
  const leased = sum(processes, (one) => one.leased);
  return { problems, late: books.late().tokens, reserved: reserved.tokens, leased };
}

/** A process that makes calls. */
class Process {
  readonly machine: Machine;
  readonly wire: Wire;
  readonly store: ServerBudgetStore;
  settled = 0;
  leased = 0;
  readonly #books: ServerBooks;
  readonly #random: SeededRandom;
  readonly #problems: string[];
  #calls = 0;
  /** What each call from a lease takes or may take, until it is booked. */
  readonly #unbooked: Map<string, number> = new Map();

  constructor(
    machine: Machine,
    wire: Wire,
    books: ServerBooks,
    random: SeededRandom,
    problems: string[],
  ) {
    const { now, timers } = machine;
    this.machine = machine;
    this.wire = wire;
    this.store = new ServerBudgetStore(
      wire,
      readServerStoreOptions({ lease: true, now, timers, attempts: 2 }),
    );
    this.#books = books;
    this.#random = random;
    this.#problems = problems;
  }

  call(now: () => number): void {
    void this.#call(`${this.machine.now()} ${this.#calls++}`, now).catch(() => {});
  }

  /** What calls from leases have taken and may take is held, until it is booked. */
  check(): void {
    if (this.machine.isDown) return;
    let unbooked = 0;
    for (const [id, tokens] of this.#unbooked) {
      if (this.#books.isSettled(id)) this.#unbooked.delete(id);
      else unbooked += tokens;
    }
    const held = this.#books.held(this.wire.leases).tokens;
    if (unbooked > held) this.#problems.push(`leases of ${held} with calls of ${unbooked}`);
  }

  async #call(id: string, now: () => number): Promise<void> {
    const random = this.#random;
    const tokens = random.oneIn(20) ? 1 + random.below(300) : 1 + random.below(20);
    const purses = random.oneIn(3) ? [] : [random.pick(PURSES)];
    const { isGranted } = await this.store.reserve(id, of(tokens), { tokens: LIMIT }, purses);
    if (!isGranted) return;
    if (!this.wire.calls.has(id)) {
      this.leased++;
      this.#unbooked.set(id, tokens);
      const held = this.#books.held(this.wire.leases).tokens;
      if (held < tokens)
        this.#problems.push(`at ${now()}: a call of ${tokens} from a lease that holds ${held}`);
    }
    // One in a hundred is never heard of again.
    if (random.oneIn(100)) return;
    const names = purses.map(({ name }) => name);
    const actual = random.below(tokens + 1);
    this.machine.after(random.oneIn(50) ? random.below(100_000) : random.below(2_000), () => {
      this.settled += actual;
      if (this.#unbooked.has(id)) this.#unbooked.set(id, actual);
      void this.store.settle(id, of(actual), names);
    });
  }
}

function check(books: ServerBooks, problems: string[]): void {
  for (const { name, tokens } of [{ name: '', tokens: LIMIT }, ...PURSES]) {
    const { spent, reserved } =
      name === '' ? books.totals() : (books.totals([name]).purses?.[0] ?? books.totals());
    const used = spent.tokens + reserved.tokens;
    if (used <= tokens + books.late(name).tokens) continue;
    problems.push(`${name}: ${spent.tokens} spent and ${reserved.tokens} reserved of ${tokens}`);
  }
}

function of(tokens: number) {
  return { nanoUsd: 0, tokens };
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((all, item) => all + count(item), 0);
}
