import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { SQLITE_NODE } from '../support/sqlite-node.ts';
import { takeTurns } from '../support/take-turns.ts';

it.skipIf(SQLITE_NODE === undefined)(
  '[LCK1] a lock of eight processes is held by one at a time, 200 times',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'teamfuse-locks-'));
    await takeTurns(join(folder, 'shared'), 25);
    rmSync(folder, { recursive: true });
  },
);
