import type { Timers } from '@teamfuse/core/kit';
import type { OptionTable, WithDefaults } from '@teamfuse/core/options';
import type { CircuitEvent } from '@teamfuse/core/sharing';
import type { CommonOptions } from '../../agreement.ts';
import type {
  CircuitStore,
  Following,
  StoredChange,
  StoredCircuit,
} from '../../fleet/circuit-store.ts';
import { Line, MACHINE_TIMERS } from '../line.ts';
import type { CircuitServer } from './circuit-server.ts';
import { CircuitWatch } from './circuit-watch.ts';

/** Options of all stores of circuits on a server. */
export interface ServerCircuitOptions {
  /** The name of the fleet: processes of one name share their circuits. @defaultValue 'main' */
  readonly fleet?: string;
  /** Milliseconds after which the server is asked for changes, whatever was heard. @defaultValue 1_000 */
  readonly pollMs?: number;
  /**
   * Milliseconds for which a circuit that is not closed is kept after its last change, a stop by hand as well.
   * @defaultValue 604_800_000, a week
   */
  readonly keptMs?: number;
  /** Milliseconds to wait for an answer. @defaultValue 300 */
  readonly timeoutMs?: number;
  /** How often a question is sent until the server counts as lost. @defaultValue 3 */
  readonly attempts?: number;
  /** The timers, such as those of a `FakeClock`. @defaultValue those of the machine, which keep no process alive */
  readonly timers?: Timers;
}

/** @internal */
export const SERVER_CIRCUIT_OPTIONS: OptionTable<ServerCircuitOptions, 'timers'> = {
  fleet: { type: 'text', default: 'main' },
  pollMs: { type: 'integer', min: 10, max: 60_000, default: 1_000 },
  keptMs: { type: 'integer', min: 60_000, default: 7 * 24 * 3_600_000 },
  timeoutMs: { type: 'integer', min: 1, max: 10_000, default: 300 },
  attempts: { type: 'integer', min: 1, max: 10, default: 3 },
  timers: { type: 'code' },
};

/** A closed circuit is remembered for so long. */
const CLOSED_MS = 3_600_000;

/** Circuits that a server keeps: time limits, followers, and what happens while the server is away. */
export class ServerCircuitStore implements CircuitStore {
  readonly #server: CircuitServer;
  readonly #options: WithDefaults<ServerCircuitOptions, 'timers'>;
  readonly #timers: Timers;
  readonly #line: Line;
  readonly #watches: Set<CircuitWatch> = new Set();
  /** The last change of each circuit that has no answer yet. */
  readonly #latest: Map<string, Promise<StoredCircuit>> = new Map();

  constructor(server: CircuitServer, options: WithDefaults<ServerCircuitOptions, 'timers'>) {
    const { timeoutMs, attempts, timers = MACHINE_TIMERS } = options;
    this.#server = server;
    this.#options = options;
    this.#timers = timers;
    this.#line = new Line({ timeoutMs, attempts, timers, onRetry: () => this.wake() });
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. */
  apply(id: string, event: CircuitEvent, cooldownMs: number): Promise<StoredCircuit> {
    const change = { id, event, cooldownMs, openMs: this.#options.keptMs, closedMs: CLOSED_MS };
    const ask = (): Promise<StoredCircuit> => this.#line.ask(() => this.#server.apply(change));
    // Over a pool of connections, changes could overtake each other.
    const answer = this.#latest.get(id)?.then(ask, ask) ?? ask();
    this.#latest.set(id, answer);
    const over = (): void => {
      if (this.#latest.get(id) === answer) this.#latest.delete(id);
    };
    answer.then(over, over);
    return answer;
  }

  /** @throws {@link UnreachableServerError} when the server does not answer. */
  agree(options: CommonOptions, known: CommonOptions = {}): Promise<CommonOptions> {
    return this.#line.ask(() => this.#server.agree(options, known));
  }

  follow(changed: (changes: readonly StoredChange[]) => void): Following {
    const { pollMs } = this.#options;
    const read = (since: number) => this.#line.ask(() => this.#server.since(since));
    const watch = new CircuitWatch({ read, changed, pollMs, timers: this.#timers });
    this.#watches.add(watch);
    const end = (): void => {
      watch.end();
      this.#watches.delete(watch);
    };
    return { known: watch.known, end };
  }

  /** Waits until the server has all changes so far. @throws {@link UnreachableServerError} */
  async flush(): Promise<void> {
    await Promise.all(this.#latest.values());
  }

  /** Ends the timers. The clients stay open: they belong to the caller. */
  close(): void {
    for (const watch of this.#watches) watch.end();
    this.#watches.clear();
    this.#line.close();
  }

  /** Asks the server for changes at once. */
  protected wake(): void {
    // The next poll tries again.
    for (const watch of this.#watches) watch.wake().catch(() => {});
  }
}
