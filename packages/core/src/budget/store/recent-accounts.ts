import type { Account } from './account.ts';

/** Beyond this many accounts one is forgotten, which bounds the memory. */
const MAX_ACCOUNTS = 10_000;

/**
 * The accounts that were used last. One in which nothing was spent is forgotten before any other: anybody can have ever more of
 * those, with keys and users that do not exist.
 */
export class RecentAccounts {
  /** Each with the least recently used first. */
  readonly #unspent: Map<string, Account> = new Map();
  readonly #spent: Map<string, Account> = new Map();

  get(name: string): Account | undefined {
    return this.#spent.get(name) ?? this.#unspent.get(name);
  }

  /** All of them, in the order in which they are forgotten. */
  entries(): readonly (readonly [string, Account])[] {
    return [...this.#unspent, ...this.#spent];
  }

  /** Marks an account as the most recently used. */
  use(name: string, account: Account): void {
    this.delete(name);
    (account.hasSpent ? this.#spent : this.#unspent).set(name, account);
    // Twice, so that the reservations of a while do not make room for ever more accounts.
    for (let i = 0; i < 2 && this.#unspent.size + this.#spent.size > MAX_ACCOUNTS; i++) {
      this.#forget(name);
    }
  }

  delete(name: string): void {
    this.#unspent.delete(name);
    this.#spent.delete(name);
  }

  clear(): void {
    this.#unspent.clear();
    this.#spent.clear();
  }

  /** Forgets one that is not `used` now, unless something is reserved in it, or was booked since its last use. */
  #forget(used: string): void {
    const [unspent] = this.#unspent;
    const [oldest = unspent] =
      unspent === undefined || unspent[0] === used ? this.#spent : [unspent];
    if (oldest === undefined) return;
    const [name, account] = oldest;
    const wasSpent = this.#spent.has(name);
    this.delete(name);
    if (account.isReserved || (account.hasSpent && !wasSpent)) {
      (account.hasSpent ? this.#spent : this.#unspent).set(name, account);
    }
  }
}
