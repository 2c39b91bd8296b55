import { type Amount, reading } from '@teamfuse/core/kit';
import {
  readServerStoreOptions,
  ServerBudgetStore,
  type ServerStoreOptions,
} from '@teamfuse/stores/server';
import { RedisBudgetServer } from './redis-budget-server.ts';
import { type RedisClient, scriptsOf } from './redis-client.ts';

/** Options of {@link RedisBudgetStore}. */
export interface RedisBudgetStoreOptions extends ServerStoreOptions {
  /**
   * What the keys begin with.
   * @defaultValue 'teamfuse'
   */
  readonly prefix?: string;
}

/**
 * Keeps the spend of a fleet in Redis or Valkey. Each decision is one script on the server, by the clock of the server. The client
 * stays yours: connect it before, and close it after.
 */
export class RedisBudgetStore extends ServerBudgetStore {
  readonly #server: RedisBudgetServer;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: RedisClient, options: RedisBudgetStoreOptions = {}) {
    const { prefix = 'teamfuse', ...rest } = reading('options', 'an object', options, () => ({
      ...options,
    }));
    const read = readServerStoreOptions(rest);
    const server = new RedisBudgetServer(scriptsOf(client), prefix, read);
    super(server, read);
    this.#server = server;
  }

  /** What calls cost beyond their reservations, with `excess: 'overdraft'`. Rejects when the server does not answer. */
  overdraft(): Promise<Amount> {
    return this.#server.overdraft();
  }
}
