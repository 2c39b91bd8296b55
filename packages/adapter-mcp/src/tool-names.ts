import { BoundedMap } from '@teamfuse/core/kit';
import type { GuardableClient } from './shapes.ts';

/** As many names as are kept: a model may invent them. */
const MAX_NAMES = 1000;

/** Names of tools that tell the servers apart: the first server to have a name keeps it, others put their own name before it. */
export class ToolNames {
  readonly #owners: BoundedMap<string, WeakRef<GuardableClient>> = new BoundedMap(MAX_NAMES);

  /** The name of a tool of a client, the same for every call. */
  of(client: GuardableClient, tool: string): string {
    const server = client.getServerVersion()?.name ?? 'server';
    for (let number = 0; ; number++) {
      const prefix = number > 1 ? `${server} ${number}` : server;
      const name = number === 0 ? tool : `${prefix}/${tool}`;
      const owner = this.#owners.get(name)?.deref();
      if (owner === undefined) this.#owners.set(name, new WeakRef(client));
      if (owner === undefined || owner === client) return name;
    }
  }
}
