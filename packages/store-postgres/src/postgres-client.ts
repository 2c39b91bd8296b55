import { InvalidOptionError } from '@teamfuse/core';
import { reading } from '@teamfuse/core/kit';

/** A client or pool of `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Checks that it is one. @throws {@link InvalidOptionError} */
export function checkClient(client: PostgresClient): PostgresClient {
  return reading('client', EXPECTED, client, () => {
    if (typeof Object(client).query === 'function') return client;
    throw new InvalidOptionError('client', EXPECTED, client);
  });
}

const EXPECTED = 'a client or pool of pg';
