import type { PostgresClient } from '../../src/index.ts';

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
