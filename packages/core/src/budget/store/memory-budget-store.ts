import { InvalidOptionError } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';
import { machineNow } from '../../machine.ts';
import { checkNames, finite, functionOf, type OptionNames, reading } from '../../options.ts';
import { type Codec, list, number, pair, record, text } from '../../state/codec.ts';
import { type Amount, isAmount, NOTHING } from '../amount.ts';
import { AMOUNT_FIELDS } from '../amount-codec.ts';
import { ACCOUNT_FIELDS, Account, type AccountBooks } from './account.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
  ReservationResult,
} from './budget-store.ts';

/** Options of {@link MemoryBudgetStore}. */
export interface MemoryBudgetStoreOptions {
  /** Milliseconds after which spend is forgotten; without it, never. */
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
}

const NAMES: OptionNames<MemoryBudgetStoreOptions> = {
  windowMs: true,
  reservationMs: true,
  now: true,
};
const EXPECTED = 'an amount: nanoUsd and tokens, whole numbers of at least 0';
const RESERVATION_MS = 3_600_000;
/** Beyond this many, the least recently used purse is forgotten, which bounds the memory. */
const MAX_PURSES = 10_000;

/** A reservation, and its purses besides the whole budget. */
interface Entry extends Amount {
  readonly at: number;
  readonly purses: readonly string[];
}

interface Snapshot extends AccountBooks {
  readonly reservations: readonly (readonly [string, Entry])[];
  readonly purses: readonly (readonly [string, AccountBooks])[];
}

const SNAPSHOT: Codec<Snapshot> = record<Snapshot>({
  ...ACCOUNT_FIELDS,
  reservations: list(
    pair(text, record<Entry>({ ...AMOUNT_FIELDS, at: number, purses: list(text) })),
  ),
  purses: list(pair(text, record<AccountBooks>(ACCOUNT_FIELDS))),
});

/** Keeps the spend of one process in memory and answers at once. */
export class MemoryBudgetStore implements BudgetStore {
  readonly #windowMs: number | undefined;
  readonly #reservationMs: number;
  readonly #now: () => number;
  #whole: Account = new Account();
  /** The least recently used first. */
  #purses: Map<string, Account> = new Map();
  /** The oldest first. */
  #reservations: Map<string, Entry> = new Map();

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(spent: Amount = NOTHING, options: MemoryBudgetStoreOptions = {}) {
    checkNames('', options, NAMES);
    const { windowMs, reservationMs = RESERVATION_MS, now = machineNow } = options;
    const isSpend = reading('spent', EXPECTED, spent, () => isAmount(spent));
    if (!isSpend) throw new InvalidOptionError('spent', EXPECTED, spent);
    if (windowMs !== undefined) finite('windowMs', windowMs, 0);
    finite('reservationMs', reservationMs, 0);
    functionOf('now', now);
    this.#windowMs = windowMs;
    this.#reservationMs = reservationMs;
    this.#now = now;
    this.#book(this.#whole, spent);
  }

  reserve(
    id: string,
    { nanoUsd, tokens }: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): ReservationResult {
    const names = purses.map(({ name }) => name);
    this.#expire();
    const amount = { nanoUsd, tokens };
    const replaced = this.#reservations.get(id);
    this.#release(id);
    const isGranted =
      this.#current(this.#whole).fits(amount, limits) &&
      purses.every((purse) => this.#purse(purse.name).fits(amount, purse));
    if (isGranted) this.#add(id, { ...amount, at: this.#now(), purses: names });
    else if (replaced !== undefined) {
      this.#add(id, replaced);
      // Keeps the oldest first.
      this.#reservations = new Map([...this.#reservations].sort(([, a], [, b]) => a.at - b.at));
    }
    return { isGranted, totals: this.totals(names) };
  }

  settle(id: string | undefined, actual: Amount, purses: readonly string[] = []): BudgetTotals {
    if (id !== undefined) this.#release(id);
    this.#book(this.#whole, actual);
    for (const name of purses) this.#book(this.#purse(name), actual);
    return this.totals(purses);
  }

  totals(purses: readonly string[] = []): BudgetTotals {
    this.#expire();
    const { totals } = this.#current(this.#whole);
    if (purses.length === 0) return totals;
    return { ...totals, purses: purses.map((name) => this.#purse(name).totals) };
  }

  /** The spend as plain JSON. */
  snapshot(): JsonValue {
    return SNAPSHOT.write({
      ...this.#whole.books,
      reservations: [...this.#reservations],
      purses: [...this.#purses].map(([name, { books }]) => [name, books]),
    });
  }

  /**
   * Takes a {@link MemoryBudgetStore.snapshot} back.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void {
    const { reservations, purses, ...whole } = SNAPSHOT.read('budget', snapshot);
    this.#whole = Account.of(whole);
    this.#purses = new Map(purses.map(([name, books]) => [name, Account.of(books)]));
    this.#reservations = new Map();
    const now = this.#now();
    // With a time in the future, it would not expire in time.
    for (const [id, one] of reservations) this.#add(id, { ...one, at: Math.min(one.at, now) });
  }

  #add(id: string, entry: Entry): void {
    this.#reservations.set(id, entry);
    this.#whole.reserve(entry);
    for (const name of entry.purses) this.#purse(name).reserve(entry);
  }

  #release(id: string): void {
    const entry = this.#reservations.get(id);
    if (entry === undefined) return;
    this.#reservations.delete(id);
    this.#whole.release(entry);
    for (const name of entry.purses) this.#purses.get(name)?.release(entry);
  }

  #book(account: Account, amount: Amount): void {
    account.book(amount, this.#windowMs === undefined ? undefined : this.#now());
  }

  #expire(): void {
    if (this.#reservations.size === 0) return;
    const expired = this.#now() - this.#reservationMs;
    for (const [id, { at }] of this.#reservations) {
      if (at > expired) break;
      this.#release(id);
    }
  }

  /** The account, with the spend before the window forgotten. */
  #current(account: Account): Account {
    if (this.#windowMs !== undefined) account.forget(this.#now() - this.#windowMs);
    return account;
  }

  /** The purse of this name, marked as the most recently used. */
  #purse(name: string): Account {
    const account = this.#purses.get(name) ?? new Account();
    this.#purses.delete(name);
    this.#purses.set(name, account);
    if (this.#purses.size > MAX_PURSES) {
      this.#purses.delete(this.#purses.keys().next().value as string);
    }
    return this.#current(account);
  }
}
