import { type CommonOptions, commonOptionsIn, type NoteOptions } from '../agreement.ts';
import type { StoredCircuit } from '../fleet/circuit-store.ts';
import {
  type Changes,
  type CircuitChange,
  type CircuitServer,
  changesIn,
  circuitIn,
  textsOf,
} from '../server/index.ts';
import { AGREE_ON_CIRCUITS, APPLY, SINCE } from './circuit-scripts.ts';
import { confirmedScriptsOf } from './confirmed-scripts.ts';
import { type RedisClient, type RunScript, scriptsOf } from './redis-client.ts';

const PARTS = ['circuits', 'changed', 'ends', 'counts'];

interface RedisCircuitServerOptions {
  readonly fleet: string;
  readonly prefix: string;
  readonly replicas: number;
  readonly timeoutMs: number;
}

/** The circuits of a fleet in Redis. */
export class RedisCircuitServer implements CircuitServer {
  /** Where each change is published. */
  readonly channel: string;
  readonly #read: RunScript;
  readonly #write: RunScript;
  readonly #keys: readonly string[];

  constructor(
    client: RedisClient,
    { fleet, prefix, replicas, timeoutMs }: RedisCircuitServerOptions,
  ) {
    // The braces keep all keys of a fleet on one node of a cluster.
    const base = `${prefix}:{${encodeURIComponent(fleet)}}:`;
    this.channel = `${base}changes`;
    this.#keys = PARTS.map((part) => base + part);
    this.#read = scriptsOf(client);
    this.#write = confirmedScriptsOf(client, { replicas, timeoutMs, mark: `${base}asked` });
  }

  async apply({ id, event, cooldownMs, openMs, closedMs }: CircuitChange): Promise<StoredCircuit> {
    const { type, probe, lastsMs, trip, kind } = textsOf(event);
    const what = [id, type, probe, lastsMs, trip, kind];
    const args = [...what, cooldownMs, openMs, closedMs, this.channel].map(String);
    return circuitIn(await this.#write(APPLY, this.#keys, args));
  }

  async agree(...options: Parameters<NoteOptions>): Promise<CommonOptions> {
    const args = options.map((one) => JSON.stringify(one));
    const [before] = await this.#write(AGREE_ON_CIRCUITS, this.#keys, args);
    return commonOptionsIn(before);
  }

  async since(version: number): Promise<Changes> {
    return changesIn(await this.#read(SINCE, this.#keys, [String(version)]));
  }
}
