import { readFile } from 'node:fs/promises';
import { checkClient, type PostgresClient } from './postgres-client.ts';

/** So that processes which start at once wait for each other: creating a schema twice at a time is an error. */
const LOCK = 7_236_140_251;

/**
 * Creates the tables, functions and views of budgets in the schema `teamfuse`, or brings them up to date. Call it at the start of
 * each process, or apply the files of the folder `sql` yourself, in their order.
 */
export async function migrate(client: PostgresClient): Promise<void> {
  const sql = await readFile(new URL('../sql/001-budgets.sql', import.meta.url), 'utf8');
  // One query without values is one transaction.
  await checkClient(client).query(`SELECT pg_advisory_xact_lock(${LOCK});\n${sql}`);
}
