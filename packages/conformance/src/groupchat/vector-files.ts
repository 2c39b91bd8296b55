import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Vector } from './vector.ts';

/** The vectors of one file. */
export interface VectorFile {
  readonly name: string;
  readonly vectors: readonly Vector[];
}

/** Reads all `*.jsonl` and `*.jsonl.gz` files of a directory, in the order of their names. */
export async function readVectorFiles(directory: string): Promise<VectorFile[]> {
  const names = (await readdir(directory)).filter((name) => /\.jsonl(?:\.gz)?$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, vectors: parse(await read(join(directory, name))) })),
  );
}

async function read(path: string): Promise<string> {
  const bytes = await readFile(path);
  return (path.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
}

function parse(text: string): Vector[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
}
