import { InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';

/** A client or pool of `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Checks that it is one. @throws {@link InvalidOptionError} */
export function checkClient(client: PostgresClient): PostgresClient {
  return orInvalid('client', EXPECTED, client, () => {
    if (typeof Object(client).query === 'function') return client;
    throw new InvalidOptionError('client', EXPECTED, client);
  });
}

const EXPECTED = 'a client or pool of pg';

/**
 * What PostgreSQL says of a transaction that it undid because of another one. Under `repeatable read` and `serializable`, which may
 * be the default of a database, that is all who waited for a row that somebody changed.
 */
const UNDONE: readonly unknown[] = ['40001', '40P01'];
/** Each time one of those who wait goes on. */
const MAX_TRIES = 100;

/** Asks a question that is one transaction, and again if it was undone. Gives its rows. */
export async function askRows(
  client: PostgresClient,
  sql: string,
  values: readonly unknown[],
): Promise<readonly unknown[]> {
  for (let tries = 1; ; tries++) {
    try {
      return (await client.query(sql, [...values])).rows;
    } catch (error) {
      if (tries === MAX_TRIES || !UNDONE.includes(Object(error).code)) throw error;
    }
  }
}

/** Calls a function of the schema `teamfuse`. */
export async function callFunction(
  client: PostgresClient,
  name: string,
  values: readonly unknown[],
): Promise<unknown> {
  const places = values.map((_, i) => `$${i + 1}`).join(', ');
  const [row] = await askRows(client, `SELECT teamfuse.${name}(${places}) AS answer`, values);
  return Object(row).answer;
}
