import { InvalidOptionError } from '@teamfuse/core';
import type { Amount } from '@teamfuse/core/kit';
import { orInvalid } from '@teamfuse/core/options';
import {
  readServerStoreOptions,
  ServerBudgetStore,
  type ServerStoreOptions,
} from '../server/index.ts';
import { confirmedScriptsOf, MAX_REPLICAS } from './confirmed-scripts.ts';
import { keyOf, RedisBudgetServer } from './redis-budget-server.ts';
import type { RedisClient } from './redis-client.ts';

/** Options of {@link RedisBudgetStore}. */
export interface RedisBudgetStoreOptions extends ServerStoreOptions {
  /**
   * What the keys begin with.
   * @defaultValue 'teamfuse'
   */
  readonly prefix?: string;
  /**
   * How many replicas must have a change before it counts, from 0 to 10, so that a failover to one of them loses none. They have half
   * of `timeoutMs` for it. While fewer answer, the server counts as lost and `failMode` decides; after a failover that lasts until the new
   * primary has replicas of its own. It needs a client with a single connection that sends nothing again by itself: no pool, no cluster,
   * `redis` with `disableOfflineQueue: true`, or `ioredis` with `autoResendUnfulfilledCommands: false`.
   * @defaultValue 0: an answer counts at once, and a failover may lose the latest
   */
  readonly replicas?: number;
}

/**
 * Keeps the spend of a fleet in Redis or Valkey. Each decision is one script on the server, by the clock of the server. The client
 * stays yours: connect it before, and close it after.
 */
export class RedisBudgetStore extends ServerBudgetStore {
  readonly #server: RedisBudgetServer;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: RedisClient, options: RedisBudgetStoreOptions = {}) {
    const {
      prefix = 'teamfuse',
      replicas = 0,
      ...rest
    } = orInvalid('options', 'an object', options, () => ({
      ...options,
    }));
    const read = readServerStoreOptions(rest);
    if (!Number.isInteger(replicas) || replicas < 0 || replicas > MAX_REPLICAS) {
      const expected = `a whole number from 0 to ${MAX_REPLICAS}`;
      throw new InvalidOptionError('replicas', expected, replicas);
    }
    const { timeoutMs, budget } = read;
    const mark = keyOf(prefix, budget, 'asked');
    const run = confirmedScriptsOf(client, { replicas, timeoutMs, mark });
    const server = new RedisBudgetServer(run, prefix, read);
    super(server, read);
    this.#server = server;
  }

  /** What calls cost beyond their reservations, with `excess: 'overdraft'`. Rejects when the server does not answer. */
  overdraft(): Promise<Amount> {
    return this.#server.overdraft();
  }
}
