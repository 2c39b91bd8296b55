import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readVectorFiles } from '../../src/harness/vector-files.ts';

describe('vector files', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'teamfuse-vectors-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  const lines = (...ids: readonly string[]): string =>
    ids.map((id) => `${JSON.stringify({ id })}\n`).join('');

  const ids = async (): Promise<readonly string[]> =>
    (await readVectorFiles(directory)).flatMap(({ cases }) => cases.map(({ id }) => id));

  test('[CONF13] are read packed or plain, in the order of their names', async () => {
    await writeFile(join(directory, 'b.jsonl'), lines('1'));
    await writeFile(join(directory, 'a.jsonl.gz'), gzipSync(lines('1')));
    await writeFile(join(directory, 'notes.md'), 'no vectors');
    expect(await ids()).toEqual(['a/1', 'b/1']);
  });

  test('[CONF12] number a case whose id comes again, also where such a number is taken', async () => {
    await writeFile(join(directory, 'a.jsonl'), lines('1', '1#2', '1', '1'));
    expect(await ids()).toEqual(['a/1', 'a/1#2', 'a/1#3', 'a/1#4']);
  });
});
