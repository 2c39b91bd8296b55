import { setImmediate as turn } from 'node:timers/promises';
import { type BudgetOptions, type BudgetStore, InvalidOptionError } from '@teamfuse/core';
import type { CircuitStore } from '@teamfuse/stores/fleet';
import type { Connection, TeamBooks } from './connection.ts';
import { type StoreAddress, type StoreKind, storeAddress, storeProblem } from './store-address.ts';

const OPEN: Readonly<Record<StoreKind, (address: string) => Promise<Connection>>> = {
  redis: async (address) => (await import('./open-redis.ts')).openRedis(address),
  postgres: async (address) => (await import('./open-postgres.ts')).openPostgres(address),
  sqlite: async (address) => (await import('./open-sqlite.ts')).openSqlite(address),
};
/** The name of the books of callers without a team. */
const NO_TEAM = 'main';
const PREFIX = 'team:';

/** The books of all teams, which several gateways share. */
export class SharedBooks {
  readonly #connection: Connection;
  readonly #tell: (problem: string) => void;
  readonly #teams: TeamBooks[] = [];
  /** Where they are, as it may be shown. */
  readonly shown: string;

  private constructor(
    connection: Connection,
    { shown }: StoreAddress,
    tell: (problem: string) => void,
  ) {
    this.#connection = connection;
    this.#tell = tell;
    this.shown = shown;
  }

  /**
   * Connects to what is at an address. `tell` hears when it is lost.
   * @throws {@link InvalidOptionError} that says why it cannot be used.
   */
  static async open(given: string, tell: (problem: string) => void): Promise<SharedBooks> {
    const address = storeAddress(given);
    try {
      return new SharedBooks(await OPEN[address.kind](address.address), address, tell);
    } catch (error) {
      throw unusable(address.shown, error);
    }
  }

  /**
   * The books of a team, once they have answered for the first time.
   * @throws {@link InvalidOptionError} that says why they have not.
   */
  async of(team: string, options: BudgetOptions = {}): Promise<BudgetStore> {
    const budget = bookName(team);
    const { windowMs, reservationMs: callMs } = options;
    let isUsed = false;
    const onError = (error: unknown): void => {
      const isLost = Object(error).code === 'LOST_BOOKS';
      const problem = isLost ? 'are lost' : 'do not answer';
      if (isLost) this.#connection.fleet?.keepSalt?.();
      if (isUsed) {
        this.#tell(`the books of '${budget}' at ${this.shown} ${problem}: ${reasonOf(error)}`);
      }
    };
    try {
      const books = this.#connection.books({ budget, windowMs, callMs, onError });
      this.#teams.push(books);
      await books.totals();
      isUsed = true;
      return books;
    } catch (error) {
      throw unusable(this.shown, error);
    }
  }

  /** The circuits of a team, where they are shared, too. */
  circuitsOf(team: string): CircuitStore | undefined {
    return this.#connection.fleet?.circuits(bookName(team));
  }

  /** What the gateways hash keys with, if they share circuits. */
  get salt(): string | undefined {
    return this.#connection.fleet?.salt;
  }

  /** Books what is under way and what has waited for its server, and closes the connection. */
  async close(): Promise<void> {
    // A call that was broken off is settled right after it.
    await turn();
    for (const books of this.#teams) {
      await books.flush().catch(() => {});
      if (books.unsettled) this.#tell(`${books.unsettled} calls were not booked in ${this.shown}`);
      books.close();
    }
    await this.#connection.close();
  }
}

/** The name of a team's books, which no other team has, nor those without one. */
function bookName(team: string): string {
  if (team === '') return NO_TEAM;
  return team === NO_TEAM || team.startsWith(PREFIX) ? `${PREFIX}${team}` : team;
}

function unusable(shown: string, error: unknown): Error {
  if (error instanceof InvalidOptionError) return error;
  return storeProblem(`${shown} cannot be used: ${reasonOf(error)}`);
}

/** What a server said, or why there is none. Of several addresses that one name has, each has a reason of its own. */
function reasonOf(error: unknown): string {
  const { cause, errors, message, code } = Object(error);
  if (cause instanceof Error && code === 'UNREACHABLE_SERVER') return reasonOf(cause);
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return String(message || code || error);
}
