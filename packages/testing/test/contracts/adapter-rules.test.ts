import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { boardHarness } from '../../../adapter-kit/test/support/board-harness.ts';
import { guardBoard } from '../../../adapter-kit/test/support/guard-board.ts';
import { adapterContract } from '../../src/adapters/index.ts';

const SPEC = readFileSync(fileURLToPath(new URL('../../SPEC.md', import.meta.url)), 'utf8');
const ROW = /^\| (ADP\d+) \| (.+) \|$/gm;

describe('SPEC.md', () => {
  it('[KIT33] has every rule of the contract in its own words', () => {
    const rows = [...SPEC.matchAll(ROW)].map(([, id, title]) => `${id} ${title}`);
    const rules = adapterContract(boardHarness(guardBoard)).map(
      ({ id, title }) => `${id} ${title}`,
    );
    expect(rows).toEqual(rules);
  });
});
