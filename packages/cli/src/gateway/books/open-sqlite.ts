import { SqliteBudgetStore } from '@teamfuse/stores';
import { type Connection, given } from './connection.ts';

/** Keeps books in a file that the gateways of one machine share. */
export async function openSqlite(file: string): Promise<Connection> {
  return {
    books: ({ budget, windowMs, callMs }) =>
      new SqliteBudgetStore(file, { budget, ...given({ windowMs, reservationMs: callMs }) }),
    close: async () => {},
  };
}
