import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { callAtOnce, killOne, spendTogether } from '../support/share-file.ts';
import { SQLITE_NODE } from '../support/sqlite-node.ts';

describe.skipIf(SQLITE_NODE === undefined)('a budget in SQLite', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'teamfuse-stores-'));
    file = join(folder, 'budget.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('[SQL1] makes of 10,000 calls at once as many as fit, in memory and in a file', () =>
    callAtOnce(file, 10_000, 6_000));

  it('[SQL2] is spent by two processes together to the last of 700 calls, and no further', () =>
    spendTogether(file, 700));

  it('[SQL3] is neither lost nor counted twice when a process is killed after 100 calls', () =>
    killOne(file, 100));
});
