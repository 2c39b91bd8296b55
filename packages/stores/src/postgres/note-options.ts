import { type CommonOptions, commonOptionsIn } from '../agreement.ts';
import { askRows, type PostgresClient } from './postgres-client.ts';

const NOTE = `WITH before AS (SELECT value FROM teamfuse.secret WHERE name = $1),
  noted AS (
    INSERT INTO teamfuse.secret AS known VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = (known.value::jsonb || excluded.value::jsonb)::text
    WHERE NOT EXISTS (
      SELECT FROM jsonb_each_text(excluded.value::jsonb) AS own
      WHERE known.value::jsonb ->> own.key NOT IN (own.value, coalesce($3::jsonb ->> own.key, own.value))
    )
    RETURNING name
  )
  SELECT (SELECT value FROM before) AS value, EXISTS (SELECT FROM noted) AS noted`;
const LOOK = 'SELECT value FROM teamfuse.secret WHERE name = $1';

/**
 * Notes with which options a process uses what it shares, beside those that are noted, unless that would write over others that are
 * not `known`. Gives what was there.
 */
export async function noteOptions(
  client: PostgresClient,
  what: string,
  options: CommonOptions,
  known: CommonOptions,
): Promise<CommonOptions> {
  const name = `options of ${what}`;
  const values = [name, JSON.stringify(options), JSON.stringify(known)];
  const [row] = await askRows(client, NOTE, values);
  const { value, noted } = Object(row);
  if (noted) return commonOptionsIn(value);
  // What is in the way may have been noted meanwhile, and not have been there before.
  const [now] = await askRows(client, LOOK, [name]);
  return commonOptionsIn(Object(now).value);
}
