import { type OptionTable, readOptions } from '@teamfuse/core/options';
import {
  SERVER_CIRCUIT_OPTIONS,
  type ServerCircuitOptions,
  ServerCircuitStore,
} from '../server/index.ts';
import { MAX_REPLICAS } from './confirmed-scripts.ts';
import { RedisCircuitServer } from './redis-circuit-server.ts';
import type { RedisClient } from './redis-client.ts';
import { listen, type RedisSubscriber } from './redis-subscriber.ts';

/** Options of {@link RedisCircuitStore}. */
export interface RedisCircuitStoreOptions extends ServerCircuitOptions {
  /** What the keys begin with. @defaultValue 'teamfuse' */
  readonly prefix?: string;
  /** A second connected client, which hears of changes at once. @defaultValue none: changes are heard of every `pollMs` */
  readonly subscriber?: RedisSubscriber;
  /** How many replicas must have a change before it counts, as those of a `RedisBudgetStore`. @defaultValue 0 */
  readonly replicas?: number;
}

type WithoutDefault = 'subscriber' | 'timers';

const OPTIONS: OptionTable<RedisCircuitStoreOptions, WithoutDefault> = {
  ...SERVER_CIRCUIT_OPTIONS,
  prefix: { type: 'text', default: 'teamfuse' },
  subscriber: { type: 'code' },
  replicas: { type: 'integer', min: 0, max: MAX_REPLICAS, default: 0 },
};

/**
 * Keeps the circuits of a fleet in Redis or Valkey. Each decision is one script on the server, by the clock of the server. The
 * clients stay yours: connect them before, and close them after.
 */
export class RedisCircuitStore extends ServerCircuitStore {
  readonly #unsubscribe: () => void;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: RedisClient, options: RedisCircuitStoreOptions = {}) {
    const read = readOptions<RedisCircuitStoreOptions, WithoutDefault>('', options, OPTIONS);
    const server = new RedisCircuitServer(client, read);
    super(server, read);
    this.#unsubscribe = listen(read.subscriber, server.channel, () => this.wake());
  }

  /** Ends the timers and the subscription. The clients stay open: they belong to the caller. */
  override close(): void {
    super.close();
    this.#unsubscribe();
  }
}
