import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callAtOnce, HOUR, killOne, spendTogether, totalsOf } from '../support/share-file.ts';
import { run, SQLITE_NODE, start } from '../support/sqlite-node.ts';

describe.skipIf(SQLITE_NODE === undefined)('a budget in SQLite', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'teamfuse-stores-'));
    file = join(folder, 'budget.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('[SQL1] makes of 1,000 calls at once as many as fit, in memory and in a file', () =>
    callAtOnce(file, 1_000, 600));

  it('[SQL2] is spent by two processes together to the last call, and no further', () =>
    spendTogether(file, 200));

  it('[SQL9] is in a file that only its owner may read, unless the file was there with another mode', async () => {
    const shared = join(folder, 'shared.db');
    await writeFile(shared, '');
    await chmod(shared, 0o660);
    await run('totals.ts', file, HOUR);
    await run('totals.ts', shared, HOUR);
    const modes = [file, shared].map(async (path) => (await stat(path)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o660]);
  });

  it('[SQL3] is neither lost nor counted twice when a process is killed in the middle', () =>
    killOne(file, 25));

  it('[SQL4] lets go of what a killed process held once that expires', async () => {
    const holder = start('hold.ts', file, HOUR);
    await holder.printed(1);
    await holder.kill();
    expect((await totalsOf(file, HOUR)).reserved.tokens).toBe(40);
    expect((await totalsOf(file, HOUR, HOUR)).reserved.tokens).toBe(0);
  });

  /** What came of calls while another process wrote for so long. */
  async function waiting(forMs: number, busyTimeoutMs: number) {
    const writer = start('hold-write.ts', file, '60000');
    await writer.printed(1);
    const args = [busyTimeoutMs, writer.pid, forMs].map(String);
    const waited = JSON.parse(await run('wait-for-write.ts', file, ...args));
    console.info(`event loop: p99 ${waited.p99.toFixed(1)} ms in ${waited.ms.toFixed(0)} ms`);
    return waited;
  }

  it('[SQL7] waits while another process writes, and the event loop goes on', {
    retry: 3,
  }, async () => {
    const { p99, outcomes, ms } = await waiting(500, 60_000);
    expect(p99).toBeLessThan(50);
    expect(ms).toBeGreaterThan(450);
    const calls = [...Array(6).fill('true'), ...Array(4).fill('false')];
    expect(outcomes.toSorted()).toEqual([...calls, '[]'].toSorted());
  });

  it('[SQL7] waits no longer than busyTimeoutMs, and says so', { retry: 3 }, async () => {
    const { p99, outcomes } = await waiting(800, 200);
    expect(p99).toBeLessThan(50);
    const late = `LockedFileError: ${file} was locked for 200 ms by another process`;
    expect(outcomes).toEqual(Array(11).fill(late));
  });

  it('[SQL12] keeps in purses of days and months what a window forgets', async () => {
    expect(JSON.parse(await run('days.ts', file))).toEqual([0, 2, 2, 0]);
  });

  it('[SQL11] is flushed once what waits for others that write is booked', async () => {
    expect(JSON.parse(await run('flush.ts', file))).toMatchObject({ spent: { tokens: 7 } });
  });

  it('[SQL8] forgets the spend of a window in time, however much it was and wherever the clock jumps', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(JSON.parse(await run('rolling.ts', file))).toEqual(
      [
        [most, 0],
        [7, 0],
        [20, 5],
        [20, 5],
        [0, 0],
      ].flat(),
    );
  });
});
