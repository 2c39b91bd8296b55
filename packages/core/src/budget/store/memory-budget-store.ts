import { machineNow, type Stamped, SteppingClock, steppedBack } from '../../common/clock.ts';
import { InvalidOptionError } from '../../common/errors.ts';
import type { JsonValue } from '../../common/json.ts';
import {
  checkNames,
  finite,
  functionOf,
  type OptionNames,
  orInvalid,
} from '../../common/options.ts';
import { type Codec, list, number, pair, record, text } from '../../state/codec.ts';
import { type Amount, isAmount, NOTHING } from '../amount.ts';
import { AMOUNT_FIELDS } from '../amount-codec.ts';
import { periodIn } from '../periods.ts';
import { ACCOUNT_FIELDS, Account, type AccountBooks } from './account.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
  ReservationResult,
} from './budget-store.ts';
import { RecentAccounts } from './recent-accounts.ts';

/** Options of {@link MemoryBudgetStore}. */
interface MemoryBudgetStoreOptions {
  /** Milliseconds after which spend is forgotten; without it, never. The purses of a day or a month keep theirs. */
  readonly windowMs?: number | undefined;
  /**
   * Milliseconds after which a reservation expires that was never settled, for example because its process died.
   * @defaultValue 3_600_000
   */
  readonly reservationMs?: number | undefined;
  /**
   * The clock, in milliseconds.
   * @defaultValue Date.now
   */
  readonly now?: (() => number) | undefined;
  /**
   * Which purses are never forgotten. Of the others, 10,000 are kept: those in which something was spent before others, then those that were used last.
   * @defaultValue none
   */
  readonly isKept?: ((purse: string) => boolean) | undefined;
}

const NAMES: OptionNames<MemoryBudgetStoreOptions> = {
  windowMs: true,
  reservationMs: true,
  now: true,
  isKept: true,
};
const EXPECTED = 'an amount: nanoUsd and tokens, whole numbers of at least 0';
const RESERVATION_MS = 3_600_000;
/** How many readings of the clock it takes at least until a window has passed, however far the clock leaps. */
const MIN_READINGS = 64;
/** The whole budget, which has no name. */
const WHOLE = '';
/** Of so many settled calls at least the ids are known. */
const MAX_SETTLED = 4096;

/** A reservation, and its purses besides the whole budget. */
interface Held extends Amount, Stamped {
  readonly purses: readonly string[];
}

interface Snapshot extends AccountBooks {
  readonly reservations: readonly (readonly [string, Held])[];
  readonly purses: readonly (readonly [string, AccountBooks])[];
}

const SNAPSHOT: Codec<Snapshot> = record<Snapshot>({
  ...ACCOUNT_FIELDS,
  reservations: list(
    pair(text, record<Held>({ ...AMOUNT_FIELDS, at: number, purses: list(text) })),
  ),
  purses: list(pair(text, record<AccountBooks>(ACCOUNT_FIELDS))),
});

/** Keeps the spend of one process in memory and answers at once. */
export class MemoryBudgetStore implements BudgetStore {
  readonly #windowMs: number | undefined;
  readonly #reservationMs: number;
  readonly #now: () => number;
  readonly #isKept: (purse: string) => boolean;
  readonly #clock: SteppingClock;
  #whole: Account = new Account();
  /** The purses that are never forgotten. */
  readonly #kept: Map<string, Account> = new Map();
  readonly #purses: RecentAccounts = new RecentAccounts();
  /** The oldest first. */
  #held: Map<string, Held> = new Map();
  /** The ids that were settled last, in two parts, the older of which is dropped when the newer is full. */
  #settled: Set<string> = new Set();
  #settledBefore: Set<string> = new Set();

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(spent: Amount = NOTHING, options: MemoryBudgetStoreOptions = {}) {
    checkNames('', options, NAMES);
    const { windowMs, reservationMs = RESERVATION_MS, now = machineNow } = options;
    const { isKept = () => false } = options;
    const isSpend = orInvalid('spent', EXPECTED, spent, () => isAmount(spent));
    if (!isSpend) throw new InvalidOptionError('spent', EXPECTED, spent);
    if (windowMs !== undefined) finite('windowMs', windowMs, 0);
    finite('reservationMs', reservationMs, 0);
    functionOf('now', now);
    functionOf('isKept', isKept);
    this.#windowMs = windowMs;
    this.#reservationMs = reservationMs;
    this.#now = now;
    this.#isKept = isKept;
    this.#clock = new SteppingClock((windowMs ?? 0) / MIN_READINGS);
    if (windowMs !== undefined) this.#begin();
    this.#book(WHOLE, this.#whole, spent);
  }

  reserve(
    id: string,
    { nanoUsd, tokens }: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): ReservationResult {
    this.#begin();
    const amount = { nanoUsd, tokens };
    const names = purses.map(({ name }) => name);
    if (this.#isSettled(id)) return { isGranted: false, totals: this.#totals(names) };
    const before = this.#held.get(id);
    if (before !== undefined) this.#unreserve(before);
    const isGranted =
      this.#current(this.#whole).fits(amount, limits) &&
      purses.every((purse) => this.#purse(purse.name).fits(amount, purse));
    if (isGranted) {
      this.#held.delete(id);
      this.#hold(id, { ...amount, at: this.#clock.at, purses: names });
    } else if (before !== undefined) this.#hold(id, before);
    return { isGranted, totals: this.#totals(names) };
  }

  settle(id: string | undefined, actual: Amount, purses: readonly string[] = []): BudgetTotals {
    this.#begin();
    if (id !== undefined) {
      if (this.#isSettled(id)) return this.#totals(purses);
      this.#release(id);
      this.#markSettled(id);
    }
    this.#book(WHOLE, this.#whole, actual);
    for (const name of purses) this.#book(name, this.#purse(name), actual);
    return this.#totals(purses);
  }

  totals(purses: readonly string[] = []): BudgetTotals {
    this.#begin();
    return this.#totals(purses);
  }

  /** When a rolling window will have let go of so much. @internal */
  roomAt(purse: string, unit: keyof Amount, amount: number): number | undefined {
    this.#begin();
    const account =
      purse === WHOLE ? this.#whole : (this.#kept.get(purse) ?? this.#purses.get(purse));
    return account && this.#current(account).roomAt(unit, amount, this.#windowMs ?? 0);
  }

  /** The spend as plain JSON. */
  snapshot(): JsonValue {
    return SNAPSHOT.write({
      ...this.#whole.books,
      reservations: [...this.#held],
      purses: [...this.#kept, ...this.#purses.entries()].map(([name, { books }]) => [name, books]),
    });
  }

  /**
   * Takes a {@link MemoryBudgetStore.snapshot} back.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void {
    const { reservations, purses, ...whole } = SNAPSHOT.read('budget', snapshot);
    const clock = this.#clock;
    clock.read(this.#now());
    this.#whole = Account.of(whole, clock);
    for (const part of [this.#kept, this.#purses, this.#held]) part.clear();
    for (const part of [this.#settled, this.#settledBefore]) part.clear();
    for (const [name, books] of purses) {
      const account = Account.of(books, clock);
      if (this.#isKept(name)) this.#kept.set(name, account);
      else this.#purses.use(name, account);
    }
    // With a time in the future, it would not expire in time.
    for (const [id, one] of reservations) {
      this.#hold(id, { ...one, at: Math.min(one.at, clock.at) });
    }
  }

  /** Reads the clock, and releases what has expired. */
  #begin(): void {
    const clock = this.#clock;
    const back = clock.read(this.#now());
    if (back > 0) this.#stepBack(back);
    for (const [id, { at }] of this.#held) {
      if (at > clock.at - this.#reservationMs) break;
      this.#release(id);
    }
  }

  #stepBack(back: number): void {
    const others = this.#purses.entries().map(([, account]) => account);
    for (const account of [this.#whole, ...this.#kept.values(), ...others]) {
      account.stepBack(this.#clock, back);
    }
    const held = Array.from(this.#held, ([id, one]) => ({ ...one, id }));
    this.#held = new Map(steppedBack(held, this.#clock.at, back).map((one) => [one.id, one]));
  }

  #totals(purses: readonly string[]): BudgetTotals {
    const { totals } = this.#current(this.#whole);
    if (purses.length === 0) return totals;
    return { ...totals, purses: purses.map((name) => this.#purse(name).totals) };
  }

  #hold(id: string, held: Held): void {
    this.#held.set(id, held);
    this.#whole.reserve(held);
    for (const name of held.purses) this.#purse(name).reserve(held);
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#unreserve(held);
  }

  /** Takes a reservation off the accounts. */
  #unreserve(held: Held): void {
    this.#whole.release(held);
    for (const name of held.purses) this.#purse(name).release(held);
  }

  #isSettled(id: string): boolean {
    return this.#settled.has(id) || this.#settledBefore.has(id);
  }

  #markSettled(id: string): void {
    if (this.#settled.size >= MAX_SETTLED) {
      this.#settledBefore = this.#settled;
      this.#settled = new Set();
    }
    this.#settled.add(id);
  }

  #book(name: string, account: Account, amount: Amount): void {
    account.book(amount, this.#isRolling(name) ? this.#clock : undefined);
  }

  #isRolling(name: string): boolean {
    return this.#windowMs !== undefined && periodIn(name).date === undefined;
  }

  /** The account, without the spend before the window. */
  #current(account: Account): Account {
    if (this.#windowMs !== undefined) account.forget(this.#clock, this.#windowMs);
    return account;
  }

  /** The purse of this name, marked as the most recently used. */
  #purse(name: string): Account {
    const account = this.#kept.get(name) ?? this.#purses.get(name) ?? new Account();
    if (!this.#isKept(name)) this.#purses.use(name, account);
    else if (!this.#kept.has(name)) this.#keep(name, account);
    return this.#isRolling(name) ? this.#current(account) : account;
  }

  /** Never forgets an account. Those that are over by now, as their day is, may be forgotten. */
  #keep(name: string, account: Account): void {
    for (const [other, old] of this.#kept) {
      if (this.#isKept(other)) continue;
      this.#kept.delete(other);
      this.#purses.use(other, old);
    }
    this.#purses.delete(name);
    this.#kept.set(name, account);
  }
}
