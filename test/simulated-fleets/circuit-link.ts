import type { CircuitEvent } from '../../packages/core/src/sharing.ts';
import type { NoteOptions } from '../../packages/stores/src/agreement.ts';
import type {
  CircuitStore,
  Following,
  StoredChange,
  StoredCircuit,
} from '../../packages/stores/src/fleet/index.ts';
import type { Machine } from '../leases/machine.ts';
import type { Network } from './network.ts';
import type { SimulatedServer } from './server.ts';

const NEWS_MS = 10;

/** The way of one process to the circuits of its fleet. */
export class CircuitLink implements CircuitStore {
  readonly network: Network;
  /** Whether the last question had no answer: then the process goes by its own circuits. */
  isAlone = false;
  readonly #server: SimulatedServer;
  readonly #machine: Machine;

  constructor(server: SimulatedServer, network: Network, machine: Machine) {
    this.#server = server;
    this.network = network;
    this.#machine = machine;
  }

  apply(id: string, event: CircuitEvent, cooldownMs: number): Promise<StoredCircuit> {
    const answer = this.network.send(() => this.#server.circuits.apply(id, event, cooldownMs));
    const hear = (isAlone: boolean) => (): void => {
      this.isAlone = isAlone;
    };
    answer.then(hear(false), hear(true));
    return answer;
  }

  follow(changed: (changes: readonly StoredChange[]) => void): Following {
    return this.#server.circuits.follow((changes) =>
      this.#machine.after(NEWS_MS, () => changed(changes)),
    );
  }

  agree(...options: Parameters<NoteOptions>): ReturnType<NoteOptions> {
    const [own = '', known = ''] = options.map((one) => JSON.stringify(one));
    const note = (): string => this.#server.note('circuits', own, known);
    return this.network.send(() => JSON.parse(note() || '{}'));
  }
}
