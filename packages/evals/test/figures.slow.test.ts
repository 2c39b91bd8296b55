import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { evalFigures } from '../src/index.ts';
import { CORPUS } from './support/recordings.ts';

const PAGE = readFileSync(new URL('../../../docs/figures.md', import.meta.url), 'utf8');

it('[EVAL10] the figures of the documentation are what the command prints for scripts and logs', async () => {
  expect(PAGE).toContain(await evalFigures());
});

it.skipIf(!existsSync(CORPUS))(
  '[EVAL10] the figures of the documentation are what the command prints for recordings (needs the recordings)',
  async () => {
    expect(PAGE).toContain(await evalFigures(CORPUS));
  },
);
