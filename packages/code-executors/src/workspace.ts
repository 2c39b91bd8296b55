import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { CodeBlock } from './code-executor.ts';

/** What came of writing a block to its file. */
export type StoredBlock =
  | { readonly kind: 'stored'; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

const NAMED = /^(?:#|\/\/)\s*filename:(.*)/;

/**
 * Writes `block` into `directory`, under the name its first line asks for or one made from its text.
 *
 * Only real directories and plain files below `directory` are used: an earlier block may have left symbolic links, hard
 * links or pipes.
 */
export async function storeBlock(
  directory: string,
  block: CodeBlock,
  extension: string,
): Promise<StoredBlock> {
  const path = resolve(directory, requestedName(block.code) ?? generatedName(block, extension));
  const way = relative(resolve(directory), path);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return outside;
  const draft = join(dirname(path), `.${randomUUID()}`);
  try {
    if (!(await isPlain(directory, way, mkdirIfMissing))) return outside;
    // A new file that takes the name over: what had the name, and its other links, are not written to.
    await writeFile(draft, block.code, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    return { kind: 'refused', message: `Cannot write the code: ${messageOf(error)}` };
  }
  return { kind: 'stored', path };
}

/** Removes the files blocks were written to; one that cannot be removed, or was put out of the way, stays. */
export async function removeFiles(directory: string, paths: readonly string[]): Promise<void> {
  await Promise.allSettled(
    paths.map(async (path) => {
      if (await isPlain(directory, relative(directory, path))) await rm(path, { force: true });
    }),
  );
}

const outside: StoredBlock = { kind: 'refused', message: 'Filename is not in the workspace' };

function requestedName(code: string): string | undefined {
  const name = NAMED.exec(code)?.[1]?.trim();
  return name === '' ? undefined : name;
}

function generatedName({ code }: CodeBlock, extension: string): string {
  return `tmp_code_${createHash('md5').update(code).digest('hex')}.${extension}`;
}

/** Whether every part of `way` but the last is a directory, and the last a file or nothing. */
async function isPlain(
  directory: string,
  way: string,
  missing: (path: string) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const parts = way.split(sep);
  for (const [at, _] of parts.entries()) {
    const path = join(directory, ...parts.slice(0, at + 1));
    const isLast = at === parts.length - 1;
    const found = await kindOf(path);
    if (found === 'nothing' && !isLast) await missing(path);
    else if (found !== 'nothing' && found !== (isLast ? 'file' : 'directory')) return false;
  }
  return true;
}

async function kindOf(path: string): Promise<'nothing' | 'file' | 'directory' | 'other'> {
  try {
    const found = await lstat(path);
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'directory' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing';
    throw error;
  }
}

async function mkdirIfMissing(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
