import type { PostgresClient } from '../../../src/postgres/index.ts';

/** Lets the time of a budget pass: all that its server has dated becomes older. */
export async function advance(client: PostgresClient, ms: number, budget: string): Promise<void> {
  for (const [table, column] of [
    ['held', 'until'],
    ['settled', 'at'],
    ['recent', 'at'],
  ]) {
    const sql = `UPDATE teamfuse.${table} SET ${column} = ${column} - $1::float8 * interval '1 ms' WHERE budget = $2`;
    await client.query(sql, [ms, budget]);
  }
}

/** Lets the time of a fleet pass. */
export async function advanceCircuits(
  client: PostgresClient,
  ms: number,
  fleet: string,
): Promise<void> {
  const sql = `UPDATE teamfuse.circuit SET
    opened = opened - CASE status WHEN 'open' THEN $1::bigint ELSE 0 END,
    due = due - CASE WHEN status IN ('open', 'half-open') THEN $1::bigint ELSE 0 END,
    ends = ends - $1::bigint * interval '1 ms'
    WHERE fleet = $2`;
  await client.query(sql, [ms, fleet]);
}
