import type { Purse } from '../../packages/core/src/kit.ts';
import type {
  Booking,
  BudgetServer,
  LeaseRequest,
} from '../../packages/stores/src/server/index.ts';
import { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import { ServerBooks } from './server-books.ts';

const STEPS = 300;
const PURSES: readonly Purse[] = [
  { name: 'ann', tokens: 900 },
  { name: 'ä\u0000', nanoUsd: 700, tokens: 800 },
];

/**
 * Asks a server and books in memory the same questions: calls, and leases whose requests come in any order and more than once.
 * Returns the first question that the two answer differently.
 */
export async function differenceOf(
  server: BudgetServer,
  seed: number,
): Promise<string | undefined> {
  const random = new SeededRandom(seed);
  const books = new ServerBooks(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const [title, theirs, ours] = await anyQuestion(random, server, books);
    const [answer, expected] = [theirs, ours].map(plain);
    if (answer !== expected) return `step ${step}, ${title}: ${answer} instead of ${expected}`;
  }
  return undefined;
}

async function anyQuestion(
  random: SeededRandom,
  server: BudgetServer,
  books: ServerBooks,
): Promise<readonly [title: string, theirs: unknown, ours: unknown]> {
  const purses = random.oneIn(2) ? [random.pick(PURSES)] : [];
  const limits = { nanoUsd: 2_000, tokens: random.oneIn(9) ? 500 : 2_500 };
  const id = `call ${random.below(400)}`;
  const kind = random.below(8);
  if (kind === 0) {
    const amount = amountOf(random, 60);
    const theirs = await server.reserve(id, amount, limits, purses);
    return [`reserve ${id}`, theirs, books.reserve(id, amount, limits, purses)];
  }
  if (kind === 1) {
    const booking = bookingOf(random, id, purses);
    return [`settle ${id}`, await server.settle(booking), books.settle(booking)];
  }
  if (kind === 2) {
    const ids = [id, `lease ${random.below(6)}`];
    return [`keep ${ids}`, await server.keep(ids), books.keep(ids)];
  }
  const request: LeaseRequest = {
    id: `lease ${random.below(6)} ${random.below(3)}`,
    number: random.oneIn(2) ? 1 : random.below(12),
    isOver: random.oneIn(9),
    limits,
    purses,
    bookings: Array.from({ length: random.below(4) }, (_, i) =>
      bookingOf(random, `${id} ${i}`, purses),
    ),
    calls: amountOf(random, 30),
    kept: amountOf(random, 10),
    wanted: amountOf(random, 300),
    parts: 1 + random.below(4),
  };
  return [`lease ${JSON.stringify(request)}`, await server.lease(request), books.lease(request)];
}

function bookingOf(random: SeededRandom, id: string, purses: readonly Purse[]): Booking {
  const booking = { id, actual: amountOf(random, 12), purses: purses.map(({ name }) => name) };
  return random.oneIn(2) ? booking : { ...booking, lease: 'lease', reserved: amountOf(random, 12) };
}

function amountOf(random: SeededRandom, below: number) {
  return { nanoUsd: random.below(below), tokens: random.below(below) };
}

/** An answer with its fields in order, and without those that say nothing. */
function plain(answer: unknown): string {
  return JSON.stringify(answer, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
