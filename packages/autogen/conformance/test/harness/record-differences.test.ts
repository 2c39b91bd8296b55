import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type KnownDifference,
  readKnownDifferences,
  writeKnownDifferences,
} from '../../src/harness/known-difference.ts';
import { recordDifferences } from '../../src/harness/record-differences.ts';
import { runAgainst } from '../../src/harness/run-vectors.ts';
import { type ToyVector, toy } from '../support/toy-library.ts';

describe('recording', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'teamfuse-record-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  const recorded = async (
    vectors: readonly ToyVector[],
    before: readonly KnownDifference[] = [],
  ): Promise<readonly KnownDifference[]> => {
    const lines = vectors.map((vector) => JSON.stringify(vector));
    await writeFile(join(directory, 'toys.jsonl'), lines.join('\n'));
    return recordDifferences(toy, directory, new Map(before.map((one) => [one.id, one])));
  };

  test('[CONF15] keeps what a rule explains and leaves out what none explains', async () => {
    const known = await recorded([
      { id: 'same', gives: 'a', expect: 'a' },
      { id: 'capital', gives: 'A', expect: 'a' },
      { id: 'other', gives: 'b', expect: 'a' },
    ]);
    expect(known).toMatchObject([
      { id: 'toys/capital', rules: ['case'], differences: [{ expected: 'a', got: 'A' }] },
    ]);
    const { results } = await runAgainst(
      toy,
      directory,
      new Map(known.map((one) => [one.id, one])),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'deviating', 'failed']);
  });

  test('[CONF16] keeps what is known of a case that cannot be run here', async () => {
    const before = { id: 'toys/real', vector: 'digest', rules: ['case'], differences: [] };
    const vector = { id: 'real', gives: 'A', expect: 'a', needs: 'python' };
    expect(await recorded([vector], [before])).toEqual([before]);
  });

  test('[CONF11] goes on after a case that cannot be played and a line that is no case', async () => {
    const path = join(directory, 'toys.jsonl');
    const lines = ['{"id":"bad","fails":true}', '{"id":"cut', '7', '{"gives":"a"}'];
    const capital = JSON.stringify({ id: 'capital', gives: 'A', expect: 'a' });
    await writeFile(path, [...lines, capital].join('\n'));
    const known = await recordDifferences(toy, directory, new Map());
    expect(known.map(({ id }) => id)).toEqual(['toys/capital']);
    const { results } = await runAgainst(
      toy,
      directory,
      new Map(known.map((one) => [one.id, one])),
    );
    expect(results.map(({ id, outcome, reasons }) => [id, outcome, reasons[0]])).toEqual([
      ['toys:2', 'failed', expect.stringMatching(/^not read: SyntaxError: /)],
      ['toys:3', 'failed', expect.stringContaining("expected an object with a text in field 'id'")],
      ['toys:4', 'failed', expect.stringContaining("expected an object with a text in field 'id'")],
      ['toys/bad', 'failed', expect.stringContaining('not played: Error: no toy')],
      ['toys/capital', 'deviating', undefined],
    ]);
  });

  test('[CONF15] is read back as it was written', async () => {
    const known = await recorded([{ id: 'capital', gives: 'A', expect: 'a' }]);
    const path = join(directory, 'known');
    await writeKnownDifferences(path, known);
    expect([...(await readKnownDifferences(path)).values()]).toEqual(known);
  });
});
