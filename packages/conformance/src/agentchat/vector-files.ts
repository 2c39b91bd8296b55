import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { AnyCase } from './vector.ts';

/** The cases of one file. */
export interface VectorFile {
  readonly name: string;
  readonly cases: readonly AnyCase[];
}

/** Reads all `*.jsonl` and `*.jsonl.gz` files of a directory, in the order of their names. */
export async function readVectorFiles(directory: string): Promise<readonly VectorFile[]> {
  const names = (await readdir(directory)).filter((name) => /\.jsonl(?:\.gz)?$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, cases: parse(await read(join(directory, name))) })),
  );
}

async function read(path: string): Promise<string> {
  const bytes = await readFile(path);
  return (path.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
}

function parse(text: string): readonly AnyCase[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as AnyCase);
}
