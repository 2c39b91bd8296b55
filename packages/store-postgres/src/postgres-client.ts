import { InvalidOptionError } from '@teamfuse/core';

/** A client or pool of `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Checks that it is one. @throws {@link InvalidOptionError} */
export function checkClient(client: PostgresClient): PostgresClient {
  if (typeof Object(client).query === 'function') return client;
  throw new InvalidOptionError('client', 'a client or pool of pg', client);
}
