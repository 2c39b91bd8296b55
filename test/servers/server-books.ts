import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  PurseTotals,
  ReservationResult,
} from '../../packages/core/src/kit.ts';
import type { Booking, LeaseAnswer, LeaseRequest } from '../../packages/stores/src/server/index.ts';

interface Held {
  readonly amount: Amount;
  readonly names: readonly string[];
  readonly until: number;
  readonly number: number;
}

const WHOLE = '';
const SETTLED_MS = 3_600_000;
const UNITS = ['nanoUsd', 'tokens'] as const;
const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

/** The books of a budget server in memory, by a clock of their own. They do what Redis and PostgreSQL do, and answer at once. */
export class ServerBooks {
  readonly #now: () => number;
  readonly #lifeMs: number;
  readonly #spent: Map<string, Amount> = new Map();
  readonly #reserved: Map<string, Amount> = new Map();
  /** The next to expire first. */
  readonly #held: Map<string, Held> = new Map();
  readonly #settled: Map<string, number> = new Map();
  readonly #late: Map<string, Amount> = new Map();

  constructor(now: () => number, lifeMs = 60_000) {
    this.#now = now;
    this.#lifeMs = lifeMs;
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): ReservationResult {
    this.#begin();
    const names = [WHOLE, ...purses.map(({ name }) => name)];
    const before = this.#held.get(id);
    const left = this.#left(limits, purses, before?.amount);
    const isGranted = !this.#settled.has(id) && UNITS.every((unit) => amount[unit] <= left[unit]);
    if (isGranted) {
      this.#release(id);
      this.#hold(id, amount, names, 0);
    }
    return { isGranted, totals: this.totals(names.slice(1)) };
  }

  settle({ id, actual, purses }: Booking): BudgetTotals {
    this.#begin();
    if (!this.#settled.has(id)) {
      this.#book(id, actual, purses, this.#release(id));
    }
    return this.totals(purses);
  }

  totals(names: readonly string[] = []): BudgetTotals {
    this.#begin();
    const of = (name: string): PurseTotals => ({
      spent: this.#spent.get(name) ?? NOTHING,
      reserved: this.#reserved.get(name) ?? NOTHING,
    });
    return names.length === 0 ? of(WHOLE) : { ...of(WHOLE), purses: names.map(of) };
  }

  keep(ids: readonly string[]): readonly string[] {
    this.#begin();
    return ids.filter((id) => {
      const held = this.#held.get(id);
      if (held === undefined) return true;
      this.#held.delete(id);
      this.#held.set(id, { ...held, until: this.#now() + this.#lifeMs });
      return false;
    });
  }

  lease(request: LeaseRequest): LeaseAnswer {
    this.#begin();
    const { id, number, isOver, bookings, limits, purses, calls, kept, wanted, parts } = request;
    const before = this.#held.get(id);
    this.#release(id);
    const drawn = this.#draw(bookings, before !== undefined);
    const answer = (idle: Amount): LeaseAnswer => ({
      isHeld: this.#held.has(id),
      idle,
      totals: this.totals(purses.map(({ name }) => name)),
    });
    if (before !== undefined && number <= before.number) {
      const amount = amountOf((unit) => Math.max(0, before.amount[unit] - drawn[unit]));
      this.#hold(id, amount, before.names, before.number, before.until);
      return answer(amountOf((unit) => Math.max(0, amount[unit] - calls[unit])));
    }
    if (isOver) this.#settle(id);
    if (this.#settled.has(id) || (before === undefined && number !== 1)) return answer(NOTHING);
    const left = this.#left(limits, purses);
    const idle = amountOf((unit) => {
      const part = Math.floor(Math.max(0, left[unit] - calls[unit]) / parts);
      return Math.max(kept[unit], Math.min(wanted[unit], part));
    });
    this.#hold(id, sum(calls, idle), [WHOLE, ...purses.map(({ name }) => name)], number);
    return answer(idle);
  }

  /** Raises what is spent in a purse to what a process knew of, after the books were lost. */
  raise(name: string, spent: Amount): void {
    const now = this.#spent.get(name) ?? NOTHING;
    this.#spent.set(
      name,
      amountOf((unit) => Math.max(now[unit], spent[unit])),
    );
  }

  /** What was booked in a purse for calls that nothing was held for any more. */
  late(name: string = WHOLE): Amount {
    return this.#late.get(name) ?? NOTHING;
  }

  isSettled(id: string): boolean {
    return this.#settled.has(id);
  }

  /** What is held under these ids. */
  held(ids: Iterable<string>): Amount {
    this.#begin();
    let all = NOTHING;
    for (const id of ids) all = sum(all, this.#held.get(id)?.amount ?? NOTHING);
    return all;
  }

  #draw(bookings: readonly Booking[], isHeld: boolean): Amount {
    let drawn = NOTHING;
    for (const { id, actual, purses } of bookings) {
      if (this.#settled.has(id)) continue;
      this.#book(id, actual, purses, isHeld);
      drawn = sum(drawn, actual);
    }
    return drawn;
  }

  #left(limits: BudgetLimits, purses: readonly Purse[], before = NOTHING): Amount {
    const all = [{ ...limits, name: WHOLE }, ...purses];
    return amountOf((unit) =>
      Math.min(
        ...all.map(({ name, [unit]: limit = Number.POSITIVE_INFINITY }) => {
          const used = this.#spent.get(name)?.[unit] ?? 0;
          return limit - used - (this.#reserved.get(name)?.[unit] ?? 0) + before[unit];
        }),
      ),
    );
  }

  #begin(): void {
    const now = this.#now();
    for (const [id, { until }] of this.#held) {
      if (until > now) break;
      this.#release(id);
    }
    for (const [id, at] of this.#settled) {
      if (at > now - SETTLED_MS) break;
      this.#settled.delete(id);
    }
  }

  #hold(
    id: string,
    amount: Amount,
    names: readonly string[],
    number: number,
    until?: number,
  ): void {
    for (const name of names) add(this.#reserved, name, amount);
    this.#held.set(id, { amount, names, number, until: until ?? this.#now() + this.#lifeMs });
    if (until !== undefined) this.#sort();
  }

  #sort(): void {
    const sorted = [...this.#held].sort(([, one], [, other]) => one.until - other.until);
    this.#held.clear();
    for (const [id, held] of sorted) this.#held.set(id, held);
  }

  #release(id: string): boolean {
    const held = this.#held.get(id);
    if (held === undefined) return false;
    const { nanoUsd, tokens } = held.amount;
    for (const name of held.names)
      add(this.#reserved, name, { nanoUsd: -nanoUsd, tokens: -tokens });
    return this.#held.delete(id);
  }

  #book(id: string, actual: Amount, purses: readonly string[], isHeld: boolean): void {
    this.#settle(id);
    for (const name of [WHOLE, ...purses]) {
      add(this.#spent, name, actual);
      if (!isHeld) add(this.#late, name, actual);
    }
  }

  #settle(id: string): void {
    this.#settled.set(id, this.#now());
  }
}

function amountOf(count: (unit: keyof Amount) => number): Amount {
  return { nanoUsd: count('nanoUsd'), tokens: count('tokens') };
}

function sum(one: Amount, other: Amount): Amount {
  return amountOf((unit) => one[unit] + other[unit]);
}

function add(sums: Map<string, Amount>, name: string, more: Amount): void {
  sums.set(name, sum(sums.get(name) ?? NOTHING, more));
}
