import type { Timers } from '../deadline.ts';
import type { Finding } from '../finding.ts';
import { andThen, asking, isPromise, type MaybePromise } from '../maybe-promise.ts';
import type { UsageSignal } from '../signal/signal.ts';
import { type Codec, list, record, text } from '../state/codec.ts';
import { type Amount, add, NOTHING, toNanoUsd } from './amount.ts';
import { type Books, exceeded, isOver, nearlySpent, unpriced, unsized } from './budget-findings.ts';
import {
  type BudgetOptions,
  checkBudget,
  checkRaised,
  type RaisedLimits,
} from './budget-options.ts';
import type { BudgetStore, BudgetTotals, Purse, PurseTotals } from './budget-store.ts';
import { CallQueue, type WaitEnd } from './calls/call-queue.ts';
import { ExpiryTimer } from './calls/expiry-timer.ts';
import { RESERVATIONS, type Reservations, UnderWay } from './calls/under-way.ts';
import { CheckedBudgetStore } from './checked-budget-store.ts';
import { MemoryBudgetStore } from './memory-budget-store.ts';
import { Purses, type Spender } from './purses.ts';

/** A model call that is about to be made. */
export interface ExpectedCall extends Spender {
  /** What it takes at most, as far as anybody knows. */
  readonly amount: Amount;
  /** Whether the amount is known in what is limited. */
  readonly isSized: boolean;
  /** Whether nobody knows its price, now or later. */
  readonly isUnpriced: boolean;
  /** Whether it may use what is kept back. */
  readonly isWrapUp: boolean;
}

/** The answer to an {@link ExpectedCall}: the id of its reservation, `null` if there was nothing to reserve, or the refusal. */
export type BudgetAnswer =
  | { readonly id: string | null; readonly finding?: undefined }
  | { readonly finding: Finding };

/** A refusal, and whether the call would fit if nothing else were under way. */
interface Refused {
  readonly finding: Finding;
  readonly wouldFit: boolean;
}

/** @internal */
export interface BudgetState {
  readonly underWay: Reservations;
  readonly warned: readonly string[];
}

/** How the state is written in a snapshot and read back. @internal */
export const BUDGET_STATE: Codec<BudgetState> = record<BudgetState>({
  underWay: RESERVATIONS,
  warned: list(text),
});

/** The whole budget first. */
type AllBooks = readonly [Books, ...Books[]];

const RESERVATION_MS = 3_600_000;
const STORE_TIMEOUT_MS = 10_000;
const NEVER: WaitEnd = () => () => {};

/**
 * The team's spend against its limits: reserved before a call and settled after it, so that calls under way count too.
 *
 * A call at an unknown price cannot be counted in dollars: it is refused unless tokens are limited too.
 */
export class Budget {
  readonly store: BudgetStore;
  /** The store in memory, unless the user gave one. */
  readonly memory: MemoryBudgetStore | undefined;
  /** The user's store, if there is one. */
  readonly #checked: CheckedBudgetStore | undefined;
  readonly #purses: Purses;
  readonly #isRolling: boolean;
  readonly #warnAt: number | undefined;
  readonly #waits: boolean;
  readonly #now: () => number;
  /** Begins the ids of reservations: no other breaker has the same ones, in no process. */
  readonly #id: string = crypto.randomUUID();
  #lastId = 0;
  readonly #underWay: UnderWay;
  readonly #queue: CallQueue<BudgetAnswer> = new CallQueue(() => this.#expiry.clear());
  readonly #expiry: ExpiryTimer;
  /** How much later than here a reservation expires in the store, at most. */
  readonly #storeLagMs: number;
  /** The purses that the team was warned of. */
  readonly #warned: Set<string> = new Set();

  /** @throws {@link InvalidOptionError} */
  constructor(options: BudgetOptions = {}, now: () => number = Date.now, timers?: Timers) {
    checkBudget(options);
    const { spentUsd = 0, windowMs, reservationMs = RESERVATION_MS, warnAt, store } = options;
    const { storeTimeoutMs = STORE_TIMEOUT_MS } = options;
    this.#purses = new Purses(options);
    this.#isRolling = windowMs !== undefined;
    this.#warnAt = warnAt;
    this.#waits = options.whenFull === 'wait';
    this.#underWay = new UnderWay(reservationMs);
    this.#now = now;
    this.#expiry = new ExpiryTimer(timers);
    this.#storeLagMs = store === undefined ? 1 : storeTimeoutMs;
    const spent = { nanoUsd: toNanoUsd(spentUsd), tokens: 0 };
    if (store === undefined) {
      this.memory = new MemoryBudgetStore(spent, { windowMs, reservationMs, now });
    } else {
      const heldUnder = (id: string): Amount => this.#underWay.heldUnder(id);
      const checked = { timeoutMs: storeTimeoutMs, timers, heldUnder };
      this.#checked = new CheckedBudgetStore(store, checked);
    }
    this.store = (this.memory ?? this.#checked) as BudgetStore;
  }

  /** What the store does not know: which calls are under way, and which purses the team was warned of. */
  get state(): BudgetState {
    return { underWay: this.#underWay.state, warned: [...this.#warned] };
  }

  set state({ underWay, warned }: BudgetState) {
    this.#underWay.state = underWay;
    this.#warned.clear();
    for (const name of warned) this.#warned.add(name);
  }

  /**
   * Sets other limits; what is missing stays as it is. Calls that wait are asked for again.
   * @throws {@link InvalidOptionError}
   */
  raise(limits: RaisedLimits): void {
    checkRaised(limits);
    this.#purses.raise(limits);
    this.#queue.serve();
  }

  /** Whether anything is limited at all. */
  get isLimited(): boolean {
    return this.#purses.isLimited;
  }

  /** What a call of a spender has to say of its size: its money where only that is limited, else its tokens, if anything. */
  measureOf(spender: Spender): keyof Amount | undefined {
    const purses = [this.#purses.whole, ...this.#purses.of(spender)];
    if (purses.some(({ tokens }) => tokens !== undefined)) return 'tokens';
    return purses.some(({ nanoUsd }) => nanoUsd !== undefined) ? 'nanoUsd' : undefined;
  }

  /** Whether a reservation was neither ended nor has expired. */
  isHeld(id: string): boolean {
    return this.#underWay.has(id);
  }

  /**
   * Reserves what a call is expected to take, in all purses or in none. Where calls wait, so long as `until` lets it;
   * `undefined` means that the wait has ended without an answer.
   */
  request(call: ExpectedCall, until: WaitEnd = NEVER): MaybePromise<BudgetAnswer | undefined> {
    if (!this.isLimited) return { id: null };
    // Calls that never end must not be waited for.
    if (this.#underWay.expire(this.#now())) this.#queue.serve();
    if (this.#waits && !this.#queue.isEmpty) return this.#wait(call, until);
    return andThen(this.#reserve(call), (answer) =>
      this.#waits && this.#isWorthWaiting(answer) ? this.#wait(call, until) : answer,
    );
  }

  /** Lets go of reservations whose calls are not made after all, or were given up. */
  release(ids: readonly (string | null)[]): MaybePromise<undefined> {
    const released = ids.filter((id) => id !== null).map((id) => this.#book(id, NOTHING, []));
    return released.some(isPromise) ? Promise.all(released).then(() => undefined) : undefined;
  }

  /** Books what a call took. `id` is that of its reservation, if it has one. */
  settle(
    id: string | null,
    spender: Spender,
    actual: Amount,
    unpricedCall?: UsageSignal,
  ): MaybePromise<Finding | undefined> {
    const purses = this.#purses.of(spender);
    return andThen(this.#book(id, actual, purses), ([whole, ...others]) => {
      const books = [whole, ...others];
      if (unpricedCall !== undefined && this.measureOf(spender) === 'nanoUsd') {
        return this.#lasting(unpriced(unpricedCall, inDollars([whole, ...others])));
      }
      const over = books.find((one) => isOver(one, NOTHING, one.purse));
      return over ? this.#lasting(exceeded(spender.agent, over)) : this.#warn(spender.agent, books);
    });
  }

  #reserve(call: ExpectedCall): MaybePromise<BudgetAnswer | (BudgetAnswer & Refused)> {
    const purses = this.#purses.of(call);
    const limits = call.isWrapUp ? this.#purses.whole : this.#purses.withoutReserve;
    if (call.isUnpriced && this.measureOf(call) === 'nanoUsd') {
      return andThen(this.#look(purses), (books) => ({
        finding: this.#lasting(unpriced(call, inDollars(books))),
      }));
    }
    if (!call.isSized && this.#underWay.hasUnsized) {
      return andThen(this.#look(purses), ([whole]) => ({
        finding: this.#lasting(unsized(call.agent, whole)),
        wouldFit: true,
      }));
    }
    const id = `${this.#id}:${++this.#lastId}`;
    const { amount, isSized } = call;
    this.#underWay.begin(id, { at: this.#now(), isSized, amount });
    const reserved = andThen(
      asking(() => this.store.reserve(id, amount, limits, purses)),
      ({ isGranted, totals }) => ({ isGranted, books: this.#booksOf(totals, purses) }),
    );
    return andThen(
      reserved,
      ({ isGranted, books: [whole, ...others] }) => {
        if (isGranted) return { id };
        this.#underWay.end(id);
        const all = [{ ...whole, limits }, ...others.map((one) => ({ ...one, limits: one.purse }))];
        const claimOf = ({ totals: { reserved } }: Books): Amount => add(reserved, call.amount);
        const full = all.find((one) => isOver(one, claimOf(one), one.limits)) ?? {
          ...whole,
          limits,
        };
        const finding = this.#lasting(exceeded(call.agent, full, claimOf(full), full.limits));
        return { finding, wouldFit: all.every((one) => !isOver(one, call.amount, one.limits)) };
      },
      (error) => {
        this.#underWay.end(id);
        throw error;
      },
    );
  }

  #look(purses: readonly Purse[]): MaybePromise<AllBooks> {
    const names = purses.map(({ name }) => name);
    return andThen(
      asking(() => this.store.totals(names)),
      (totals) => this.#booksOf(totals, purses),
    );
  }

  #wait(call: ExpectedCall, until: WaitEnd): Promise<BudgetAnswer | undefined> {
    const ask = (): MaybePromise<BudgetAnswer | undefined> =>
      andThen(this.#reserve(call), (answer) => {
        if (!this.#isWorthWaiting(answer)) return answer;
        this.#serveAfterExpiry();
        return undefined;
      });
    const undo = (answer: BudgetAnswer): void => {
      // A store that fails here lets go of it by itself after a while.
      if (answer.finding === undefined) {
        andThen(
          this.release([answer.id]),
          () => undefined,
          () => undefined,
        );
      }
    };
    return this.#queue.wait(ask, undo, until);
  }

  /** A call that never ends must not be waited for, even if nobody asks again. */
  #serveAfterExpiry(): void {
    const { expiresAt } = this.#underWay;
    if (expiresAt === undefined || this.#queue.isEmpty) return;
    const ring = (): void => {
      if (this.#underWay.expire(this.#now())) this.#queue.serve();
      else this.#serveAfterExpiry();
    };
    this.#expiry.set(ring, expiresAt - this.#now() + this.#storeLagMs);
  }

  /** With nothing under way there is nothing to wait for. */
  #isWorthWaiting(answer: BudgetAnswer | (BudgetAnswer & Refused)): boolean {
    return 'wouldFit' in answer && answer.wouldFit && !this.#underWay.isEmpty;
  }

  #book(id: string | null, actual: Amount, purses: readonly Purse[]): MaybePromise<AllBooks> {
    const names = purses.map(({ name }) => name);
    const end = (): void => {
      if (id !== null) this.#underWay.end(id);
      this.#queue.serve();
    };
    const booked = andThen(
      asking(() => this.store.settle(id ?? undefined, actual, names)),
      (totals) => this.#booksOf(totals, purses),
    );
    return andThen(
      booked,
      (books) => {
        end();
        return books;
      },
      (error) => {
        end();
        throw error;
      },
    );
  }

  /** The purses with their books: {@link CheckedBudgetStore} lets no answer pass that lacks one. */
  #booksOf(totals: BudgetTotals, purses: readonly Purse[]): AllBooks {
    const { purses: kept = [] } = totals;
    const smaller = purses.map((purse, i) => ({
      purse,
      totals: this.#withOwed(kept[i] as PurseTotals, purse.name),
    }));
    return [{ purse: this.#purses.whole, totals: this.#withOwed(totals) }, ...smaller];
  }

  #withOwed({ spent, reserved }: PurseTotals, purse?: string): PurseTotals {
    return { spent: add(spent, this.#checked?.owed(purse) ?? NOTHING), reserved };
  }

  /** Spend that is forgotten after a while makes room again. */
  #lasting(found: Finding): Finding {
    return this.#isRolling ? { ...found, isPassing: true } : found;
  }

  #warn(agent: string, books: readonly Books[]): Finding | undefined {
    const warnAt = this.#warnAt;
    if (warnAt === undefined) return undefined;
    for (const one of books) {
      const finding = nearlySpent(agent, one, warnAt);
      if (finding === undefined) this.#warned.delete(one.purse.name);
      else if (!this.#warned.has(one.purse.name)) {
        this.#warned.add(one.purse.name);
        return finding;
      }
    }
    return undefined;
  }
}

/** The books of the purse that limits dollars; those of the whole budget first. */
function inDollars([whole, ...others]: AllBooks): Books {
  return [whole, ...others].find(({ purse }) => purse.nanoUsd !== undefined) ?? whole;
}
