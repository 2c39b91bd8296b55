import { type OptionTable, readOptions } from '@teamfuse/core/options';
import {
  SERVER_CIRCUIT_OPTIONS,
  type ServerCircuitOptions,
  ServerCircuitStore,
} from '../server/index.ts';
import { PostgresCircuitServer } from './postgres-circuit-server.ts';
import { checkClient, type PostgresClient } from './postgres-client.ts';
import { listen, type PostgresSubscriber } from './postgres-subscriber.ts';

/** Options of {@link PostgresCircuitStore}. */
export interface PostgresCircuitStoreOptions extends ServerCircuitOptions {
  /** A connected client, no pool, which hears of changes at once. @defaultValue none: changes are heard of every `pollMs` */
  readonly subscriber?: PostgresSubscriber;
}

type WithoutDefault = 'subscriber' | 'timers';

const OPTIONS: OptionTable<PostgresCircuitStoreOptions, WithoutDefault> = {
  ...SERVER_CIRCUIT_OPTIONS,
  subscriber: { type: 'code' },
};

/**
 * Keeps the circuits of a fleet in PostgreSQL. Each decision is one query, under a lock on the row of the fleet, by the clock of the
 * server. The clients stay yours: call {@link migrate} once before, and end them after.
 */
export class PostgresCircuitStore extends ServerCircuitStore {
  readonly #unsubscribe: () => void;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: PostgresClient, options: PostgresCircuitStoreOptions = {}) {
    const read = readOptions<PostgresCircuitStoreOptions, WithoutDefault>('', options, OPTIONS);
    const server = new PostgresCircuitServer(checkClient(client), read.fleet);
    super(server, read);
    this.#unsubscribe = listen(read.subscriber, server.fleet, () => this.wake());
  }

  /** Ends the timers and the subscription. The clients stay open: they belong to the caller. */
  override close(): void {
    super.close();
    this.#unsubscribe();
  }
}
