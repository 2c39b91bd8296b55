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

/** Calls a function of the schema `teamfuse`. */
export async function callFunction(
  client: PostgresClient,
  name: string,
  values: readonly unknown[],
): Promise<unknown> {
  const places = values.map((_, i) => `$${i + 1}`).join(', ');
  const { rows } = await client.query(`SELECT teamfuse.${name}(${places}) AS answer`, [...values]);
  return Object(rows[0]).answer;
}
