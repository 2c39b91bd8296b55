import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BadInputError } from './bad-input-error.ts';
import { fileProblem } from './file-problem.ts';

/** A file to read. */
export interface FoundFile {
  readonly source: string;
  readonly bytes: number;
  /** Whether it was named itself rather than found in a directory, where other files may lie about. */
  readonly isNamed: boolean;
}

const SKIPPED = new Set(['node_modules']);

/**
 * The files at a path in order of their names: the file itself, or all in a directory and those below, hidden ones apart.
 * @throws {@link BadInputError} when there is nothing at the path.
 */
export async function* findFiles(path: string): AsyncGenerator<FoundFile> {
  if (path === '-') {
    yield { source: path, bytes: 0, isNamed: true };
    return;
  }
  const found = await stat(path).catch((error: unknown) => {
    throw new BadInputError(path, fileProblem(error), { cause: error });
  });
  if (found.isDirectory()) yield* filesIn(path);
  else yield { source: path, bytes: found.size, isNamed: true };
}

async function* filesIn(folder: string): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    // Who reads it is told why that cannot be.
    yield { source: folder, bytes: 0, isNamed: true };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
    // A link may lead round in a circle.
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) {
      const found = await stat(path).catch(() => undefined);
      yield { source: path, bytes: found?.size ?? 0, isNamed: false };
    }
  }
}
