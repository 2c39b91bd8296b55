import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { showNoSecret } from '../support/outlets.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-outlets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('[CLI16] every command shows none of a hundred and one forms of secrets that a recording holds', () =>
  showNoSecret(folder, 1));
