import type { BudgetStore } from '../../src/index.ts';
import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  ReservationResult,
} from '../../src/kit.ts';

const WHOLE = '';

interface Held {
  readonly tokens: number;
  readonly at: number;
  readonly names: readonly string[];
}

/** What one purse has to have on its books. */
interface Account {
  spent: bigint;
  held: number;
  /** What was spent when its limit was last raised. */
  forgiven: number;
}

/** A store between breaker and store that keeps its own account of every purse in big integers. */
export class Books implements BudgetStore {
  readonly #inner: BudgetStore;
  readonly #now: () => number;
  readonly #reservationMs: number;
  readonly #held: Map<string, Held> = new Map();
  readonly #accounts: Map<string, Account> = new Map();
  #touched: readonly string[] = [];
  #isOver = false;

  constructor(inner: BudgetStore, now: () => number, reservationMs: number) {
    this.#inner = inner;
    this.#now = now;
    this.#reservationMs = reservationMs;
  }

  /** Raises every limit by what was spent, so that the simulation goes on. */
  newMonth(): void {
    for (const account of this.#accounts.values()) account.forgiven = Number(account.spent);
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): ReservationResult {
    const raised = purses.map((purse) => this.#raised(purse.name, purse));
    const whole = this.#raised(WHOLE, limits);
    const result = this.#inner.reserve(id, amount, whole, raised) as ReservationResult;
    const names = purses.map(({ name }) => name);
    this.#touched = names;
    if (!result.isGranted) return result;
    this.#expire();
    if (this.#held.has(id)) this.#isOver = true;
    this.#hold(id, { tokens: amount.tokens, at: this.#now(), names });
    for (const [name, { tokens = 0 }] of [
      [WHOLE, whole] as const,
      ...raised.map((one) => [one.name, one] as const),
    ]) {
      const { spent, held } = this.#account(name);
      if (Number(spent) + held > tokens) this.#isOver = true;
    }
    return result;
  }

  settle(id: string | undefined, actual: Amount, purses: readonly string[] = []): BudgetTotals {
    if (id !== undefined) this.#release(id);
    for (const name of [WHOLE, ...purses]) this.#account(name).spent += BigInt(actual.tokens);
    this.#touched = purses;
    const totals = this.#inner.settle(id, actual, purses) as BudgetTotals;
    const lessForgiven = (name: string, one: BudgetTotals): BudgetTotals => {
      const tokens = one.spent.tokens - this.#account(name).forgiven;
      return { ...one, spent: { ...one.spent, tokens } };
    };
    const kept = (totals.purses ?? []).map((one, i) => lessForgiven(purses[i] ?? '', one));
    return { ...lessForgiven(WHOLE, totals), purses: kept };
  }

  totals(purses: readonly string[] = []): BudgetTotals {
    return this.#inner.totals(purses) as BudgetTotals;
  }

  /** Whether a reservation was granted that exceeds a limit, or that uses an id again. */
  isOver(): boolean {
    return this.#isOver;
  }

  /** Compares the store with the account: the purses of the latest call, or all of them. */
  check(isFull: boolean): string | undefined {
    this.#expire();
    const all = [...this.#accounts.keys()].filter((name) => name !== WHOLE);
    const names = isFull ? all : this.#touched;
    const totals = this.totals(names);
    const books = [
      [WHOLE, totals] as const,
      ...names.map((name, i) => [name, totals.purses?.[i]] as const),
    ];
    for (const [name, one] of books) {
      const { spent, held } = this.#account(name);
      const of = name === WHOLE ? '' : ` of ${name}`;
      const [found, reserved] = [one?.spent.tokens ?? -1, one?.reserved.tokens ?? -1];
      if (BigInt(found) !== spent) return `${found} spent${of} instead of ${spent}`;
      if (reserved !== held) return `${reserved} reserved${of} instead of ${held}`;
    }
    return undefined;
  }

  #raised<T extends BudgetLimits>(name: string, limits: T): T {
    if (limits.tokens === undefined) return limits;
    return { ...limits, tokens: limits.tokens + this.#account(name).forgiven };
  }

  #account(name: string): Account {
    const account = this.#accounts.get(name) ?? { spent: 0n, held: 0, forgiven: 0 };
    this.#accounts.set(name, account);
    return account;
  }

  #hold(id: string, held: Held): void {
    this.#held.set(id, held);
    for (const name of [WHOLE, ...held.names]) this.#account(name).held += held.tokens;
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    for (const name of [WHOLE, ...held.names]) this.#account(name).held -= held.tokens;
  }

  #expire(): void {
    const expired = this.#now() - this.#reservationMs;
    for (const [id, { at }] of this.#held) {
      if (at > expired) break;
      this.#release(id);
    }
  }
}
