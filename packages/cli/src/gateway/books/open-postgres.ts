import { randomUUID } from 'node:crypto';
import { PostgresBudgetStore, PostgresCircuitStore } from '@teamfuse/stores/postgres';
import { CONNECT_MS, type Connection, given } from './connection.ts';
import { loadClient } from './load-client.ts';

/** What PostgreSQL says of a schema, a table and a function that it does not have. */
const NOT_MIGRATED = ['3F000', '42P01', '42883'];
const MIGRATE =
  'tables are missing: run migrate() of @teamfuse/stores/postgres once, or the files of the folder sql of @teamfuse/stores';
/** What all gateways hash keys with. The first one makes it up. */
const MAKE_SALT = "INSERT INTO teamfuse.secret VALUES ('gateway-salt', $1) ON CONFLICT DO NOTHING";
const SALT = "SELECT value FROM teamfuse.secret WHERE name = 'gateway-salt'";

/** Connects to PostgreSQL. Rejects with what the client says, and where its tables are missing. */
export async function openPostgres(connectionString: string): Promise<Connection> {
  const { default: pg } = await loadClient('pg', () => import('pg'));
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  // The stores tell of a server that is lost.
  pool.on('error', () => {});
  let salt: string;
  try {
    await pool.query(MAKE_SALT, [randomUUID()]);
    salt = (await pool.query<{ value: string }>(SALT)).rows[0]?.value ?? '';
  } catch (error) {
    await pool.end();
    throw NOT_MIGRATED.includes(Object(error).code) ? new Error(MIGRATE, { cause: error }) : error;
  }
  return {
    books: ({ budget, ...rest }) => new PostgresBudgetStore(pool, { budget, ...given(rest) }),
    // They hear of changes by asking every second.
    fleet: { salt, circuits: (fleet) => new PostgresCircuitStore(pool, { fleet }) },
    close: () => pool.end(),
  };
}
