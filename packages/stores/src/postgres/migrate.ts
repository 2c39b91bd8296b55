import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { checkClient, type PostgresClient } from './postgres-client.ts';

/** In their order. */
const FILES = ['001-budgets.sql', '002-fleets.sql'];

/** So that processes which start at once wait for each other: creating a schema twice at a time is an error. */
const LOCK = 7_236_140_251;

/**
 * Creates the tables, functions and views in the schema `teamfuse`, or brings them up to date. Call it at the start of
 * each process, or apply the files of the folder `sql` yourself, in their order.
 */
export async function migrate(client: PostgresClient): Promise<void> {
  const checked = checkClient(client);
  const read = (name: string) => readFile(new URL(`../../sql/${name}`, import.meta.url), 'utf8');
  const sql = (await Promise.all(FILES.map(read))).join('\n');
  const version = createHash('sha256').update(sql).digest('hex');
  // What is up to date is left alone: creating it once more would wait for calls of other processes, and they for it. One query
  // without values is one transaction.
  await checked.query(`
    SELECT pg_advisory_xact_lock(${LOCK});
    DO $migrate$ BEGIN
      IF obj_description(to_regnamespace('teamfuse'), 'pg_namespace') IS DISTINCT FROM '${version}' THEN
        EXECUTE $sql$${sql}$sql$;
        COMMENT ON SCHEMA teamfuse IS '${version}';
      END IF;
    END $migrate$;`);
}
