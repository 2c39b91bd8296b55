import type { Pool } from 'pg';

/** Ends a pool, and waits until its connections are closed: what a server says to open ones as it ends is an error to them. */
export async function endPool(pool: Pool): Promise<void> {
  let open = pool.totalCount;
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve();
    pool.on('remove', () => {
      if (--open === 0) resolve();
    });
  });
  await pool.end();
  await closed;
}
