import {
  type CircuitEvent,
  type CircuitStore,
  type Following,
  type OptionTable,
  readOptions,
  type StoredChange,
  type StoredCircuit,
  type Timers,
  type WithDefaults,
} from '@teamfuse/core/kit';
import { Line, MACHINE_TIMERS } from '@teamfuse/stores/server';
import { APPLY, SINCE } from './circuit-scripts.ts';
import { CircuitWatch } from './circuit-watch.ts';
import { confirmedScriptsOf, MAX_REPLICAS } from './confirmed-scripts.ts';
import { type RedisClient, type RunScript, scriptsOf } from './redis-client.ts';
import { listen, type RedisSubscriber } from './redis-subscriber.ts';
import { changesIn, circuitIn } from './stored-circuits.ts';

/** Options of {@link RedisCircuitStore}. */
export interface RedisCircuitStoreOptions {
  /** The name of the fleet: processes of one name share their circuits. @defaultValue 'main' */
  readonly fleet?: string;
  /** What the keys begin with. @defaultValue 'teamfuse' */
  readonly prefix?: string;
  /** A second connected client, which hears of changes at once. @defaultValue none: changes are heard of every `pollMs` */
  readonly subscriber?: RedisSubscriber;
  /** Milliseconds after which the server is asked for changes, whatever was heard. @defaultValue 1_000 */
  readonly pollMs?: number;
  /** Milliseconds for which a circuit that nobody asks for any more is kept. @defaultValue 604_800_000, a week */
  readonly keptMs?: number;
  /** How many replicas must have a change before it counts, as those of a `RedisBudgetStore`. @defaultValue 0 */
  readonly replicas?: number;
  /** Milliseconds to wait for an answer. @defaultValue 300 */
  readonly timeoutMs?: number;
  /** How often a question is sent until the server counts as lost. @defaultValue 3 */
  readonly attempts?: number;
  /** The timers, such as those of a `FakeClock`. @defaultValue those of the machine, which keep no process alive */
  readonly timers?: Timers;
}

type WithoutDefault = 'subscriber' | 'timers';

const OPTIONS: OptionTable<RedisCircuitStoreOptions, WithoutDefault> = {
  fleet: { type: 'text', default: 'main' },
  prefix: { type: 'text', default: 'teamfuse' },
  subscriber: { type: 'code' },
  pollMs: { type: 'integer', min: 10, max: 60_000, default: 1_000 },
  keptMs: { type: 'integer', min: 60_000, default: 7 * 24 * 3_600_000 },
  replicas: { type: 'integer', min: 0, max: MAX_REPLICAS, default: 0 },
  timeoutMs: { type: 'integer', min: 1, max: 10_000, default: 300 },
  attempts: { type: 'integer', min: 1, max: 10, default: 3 },
  timers: { type: 'code' },
};

/** A closed circuit is remembered for so long, so that each process hears of it. */
const CLOSED_MS = 3_600_000;
const PARTS = ['circuits', 'changed', 'ends', 'counts'];

/**
 * Keeps the circuits of a fleet in Redis or Valkey. Each decision is one script on the server, by the clock of the server. The
 * clients stay yours: connect them before, and close them after.
 */
export class RedisCircuitStore implements CircuitStore {
  readonly #options: WithDefaults<RedisCircuitStoreOptions, WithoutDefault>;
  readonly #timers: Timers;
  readonly #read: RunScript;
  readonly #write: RunScript;
  readonly #keys: readonly string[];
  readonly #channel: string;
  readonly #line: Line;
  readonly #watches: Set<CircuitWatch> = new Set();
  readonly #unsubscribe: () => void;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(client: RedisClient, options: RedisCircuitStoreOptions = {}) {
    const read = readOptions<RedisCircuitStoreOptions, WithoutDefault>('', options, OPTIONS);
    const {
      fleet,
      prefix,
      replicas,
      timeoutMs,
      attempts,
      subscriber,
      timers = MACHINE_TIMERS,
    } = read;
    this.#options = read;
    this.#timers = timers;
    this.#read = scriptsOf(client);
    // The braces keep all keys of a fleet on one node of a cluster.
    const base = `${prefix}:{${encodeURIComponent(fleet)}}:`;
    this.#keys = PARTS.map((part) => base + part);
    this.#channel = `${base}changes`;
    this.#write = confirmedScriptsOf(client, { replicas, timeoutMs, mark: `${base}asked` });
    const onRetry = (): void => this.#wakeAll();
    this.#line = new Line({ timeoutMs, attempts, timers, onRetry });
    this.#unsubscribe = listen(subscriber, this.#channel, () => this.#wakeAll());
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. */
  async apply(id: string, event: CircuitEvent, cooldownMs: number): Promise<StoredCircuit> {
    const { keptMs } = this.#options;
    const probe = 'probeId' in event ? event.probeId : '';
    const [trip, kind] = 'trip' in event ? [JSON.stringify(event.trip), event.trip.kind] : ['', ''];
    const about = [id, event.type, probe, trip, kind];
    const args = [...about, cooldownMs, keptMs, CLOSED_MS, this.#channel].map(String);
    return circuitIn(await this.#line.ask(() => this.#write(APPLY, this.#keys, args)));
  }

  follow(changed: (changes: readonly StoredChange[]) => void): Following {
    const { pollMs } = this.#options;
    const read = async (since: number) =>
      changesIn(await this.#line.ask(() => this.#read(SINCE, this.#keys, [String(since)])));
    const watch = new CircuitWatch({ read, changed, pollMs, timers: this.#timers });
    this.#watches.add(watch);
    const end = (): void => {
      watch.end();
      this.#watches.delete(watch);
    };
    return { known: watch.known, end };
  }

  /** Ends the timers and the subscription. The clients stay open: they belong to the caller. */
  close(): void {
    for (const watch of this.#watches) watch.end();
    this.#watches.clear();
    this.#line.close();
    this.#unsubscribe();
  }

  #wakeAll(): void {
    for (const watch of this.#watches) watch.wake().catch(ignore);
  }
}

/** The next poll tries again. */
function ignore(): void {}
