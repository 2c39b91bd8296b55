import { once } from 'node:events';
import type { Server } from 'node:http';
import { InvalidOptionError } from '@teamfuse/core';

/** Where a server listens. */
export interface Address {
  readonly port: number;
  readonly host: string;
}

/** What the options are called that an address comes from. */
export interface AddressOptions {
  readonly port: string;
  readonly host: string;
}

/** What says that the port cannot be had, and not the host. */
const OF_PORT: readonly unknown[] = ['EADDRINUSE', 'EACCES'];

/** Has a server listen. @throws {@link InvalidOptionError} naming the option that keeps it from that. */
export async function listen(
  server: Server,
  { port, host }: Address,
  options: AddressOptions,
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (OF_PORT.includes(code)) {
      throw new InvalidOptionError(options.port, `a port that is free (${code})`, port);
    }
    throw new InvalidOptionError(options.host, `an address of this machine (${code})`, host);
  }
}
