import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Reads a text file, unpacked if its name ends in `.gz`. */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  return (path.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
}
