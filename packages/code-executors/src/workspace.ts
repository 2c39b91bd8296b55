import { createHash } from 'node:crypto';
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { CodeBlock } from './code-executor.ts';

/** What came of writing a block to its file. */
export type StoredBlock =
  | { readonly kind: 'stored'; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

const NAMED = /^(?:#|\/\/)\s*filename:(.*)/;

/** Writes `block` into `directory`, under the name its first line asks for or one made from its text. */
export async function storeBlock(
  directory: string,
  block: CodeBlock,
  extension: string,
): Promise<StoredBlock> {
  const path = resolve(directory, requestedName(block.code) ?? generatedName(block, extension));
  if (!contains(directory, path)) return outside;
  try {
    await mkdir(dirname(path), { recursive: true });
    // An earlier block may have left a symbolic link that leads out.
    if (!contains(await realpath(directory), await finalPath(path))) return outside;
    await writeFile(path, block.code);
  } catch (error) {
    return { kind: 'refused', message: `Cannot write the code: ${messageOf(error)}` };
  }
  return { kind: 'stored', path };
}

/** Removes the files blocks were written to; one that cannot be removed stays. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(path, { force: true })));
}

const outside: StoredBlock = { kind: 'refused', message: 'Filename is not in the workspace' };

function requestedName(code: string): string | undefined {
  const name = NAMED.exec(code)?.[1]?.trim();
  return name === '' ? undefined : name;
}

function generatedName({ code }: CodeBlock, extension: string): string {
  return `tmp_code_${createHash('md5').update(code).digest('hex')}.${extension}`;
}

function contains(directory: string, path: string): boolean {
  const way = relative(resolve(directory), path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function finalPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return resolve(await realpath(dirname(path)), relative(dirname(path), path));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
