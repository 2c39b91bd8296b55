import { PostgresBudgetStore } from '@teamfuse/store-postgres';
import { CONNECT_MS, type Connection, given } from './connection.ts';
import { loadClient } from './load-client.ts';

/** What PostgreSQL says of a schema, a table and a function that it does not have. */
const NOT_MIGRATED = ['3F000', '42P01', '42883'];
const MIGRATE =
  'there are no tables for budgets: run migrate() of @teamfuse/store-postgres once, or the files of its folder sql';

/** Connects to PostgreSQL. Rejects with what the client says, and where its tables are missing. */
export async function openPostgres(connectionString: string): Promise<Connection> {
  const { default: pg } = await loadClient('pg', () => import('pg'));
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  // The stores tell of a server that is lost.
  pool.on('error', () => {});
  try {
    await pool.query('SELECT FROM teamfuse.purse LIMIT 0');
  } catch (error) {
    await pool.end();
    throw NOT_MIGRATED.includes(Object(error).code) ? new Error(MIGRATE, { cause: error }) : error;
  }
  return {
    books: ({ budget, ...rest }) => new PostgresBudgetStore(pool, { budget, ...given(rest) }),
    close: () => pool.end(),
  };
}
