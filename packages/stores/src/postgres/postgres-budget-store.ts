import type { Amount } from '@teamfuse/core/kit';
import {
  readServerStoreOptions,
  ServerBudgetStore,
  type ServerStoreOptions,
} from '../server/index.ts';
import { PostgresBudgetServer } from './postgres-budget-server.ts';
import { checkClient, type PostgresClient } from './postgres-client.ts';

/** Options of {@link PostgresBudgetStore}. */
export type PostgresBudgetStoreOptions = ServerStoreOptions;

/**
 * Keeps the spend of a fleet in PostgreSQL. Each decision is one query, under a lock on the row of the budget, by the clock of the
 * server. The pool stays yours: call {@link migrate} once before, and end the pool after.
 */
export class PostgresBudgetStore extends ServerBudgetStore {
  readonly #server: PostgresBudgetServer;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: PostgresClient, options: PostgresBudgetStoreOptions = {}) {
    const read = readServerStoreOptions(options);
    const server = new PostgresBudgetServer(checkClient(client), read);
    super(server, read);
    this.#server = server;
  }

  /** What calls cost beyond their reservations, with `excess: 'overdraft'`. Rejects when the server does not answer. */
  overdraft(): Promise<Amount> {
    return this.#server.overdraft();
  }
}
