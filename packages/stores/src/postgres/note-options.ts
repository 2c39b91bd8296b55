import { type CommonOptions, commonOptionsIn } from '../agreement.ts';
import { askRows, type PostgresClient } from './postgres-client.ts';

const SQL = `WITH before AS (SELECT value FROM teamfuse.secret WHERE name = $1),
  noted AS (
    INSERT INTO teamfuse.secret AS known VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = (known.value::jsonb || excluded.value::jsonb)::text
  )
  SELECT value FROM before`;

/** Notes with which options a process uses what it shares, beside those that are noted. Gives what was there. */
export async function noteOptions(
  client: PostgresClient,
  what: string,
  options: CommonOptions,
): Promise<CommonOptions> {
  const [row] = await askRows(client, SQL, [`options of ${what}`, JSON.stringify(options)]);
  return commonOptionsIn(Object(row).value);
}
