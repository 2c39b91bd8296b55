import type { CommonOptions, NoteOptions } from '../agreement.ts';
import type { StoredCircuit } from '../fleet/circuit-store.ts';
import {
  type Changes,
  type CircuitChange,
  type CircuitServer,
  changesIn,
  circuitIn,
  textsOf,
} from '../server/index.ts';
import { noteOptions } from './note-options.ts';
import { callFunction, type PostgresClient } from './postgres-client.ts';
import { textKey } from './text-key.ts';

/** The circuits of a fleet in PostgreSQL. */
export class PostgresCircuitServer implements CircuitServer {
  /** The name of the fleet, as the database has it. */
  readonly fleet: string;
  readonly #client: PostgresClient;

  constructor(client: PostgresClient, fleet: string) {
    this.#client = client;
    this.fleet = textKey(fleet);
  }

  async apply({ id, event, cooldownMs, openMs, closedMs }: CircuitChange): Promise<StoredCircuit> {
    const { type, probe, lastsMs, trip, kind } = textsOf(event);
    const what = [type, probe || null, lastsMs || null, trip, kind];
    const lives = [cooldownMs, openMs, closedMs];
    return circuitIn(
      await this.#call('apply_circuit', [textKey(id), JSON.stringify(id), ...what, ...lives]),
    );
  }

  agree(...options: Parameters<NoteOptions>): Promise<CommonOptions> {
    return noteOptions(this.#client, `fleet ${this.fleet}`, ...options);
  }

  async since(version: number): Promise<Changes> {
    const { changes, ...rest } = changesIn(await this.#call('circuits_since', [version]));
    return { ...rest, changes: changes.map((one) => ({ ...one, id: JSON.parse(one.id) })) };
  }

  async #call(name: string, args: readonly unknown[]): Promise<readonly string[]> {
    return (await callFunction(this.#client, name, [this.fleet, ...args])) as readonly string[];
  }
}
