import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { BadInputError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';
import { findFiles } from '../input/find-files.ts';

/** How a file is written. */
export interface OutputOptions {
  /** Whether a file that is there may go. */
  readonly isReplacing: boolean;
  /** The permissions of the file. */
  readonly mode: number;
}

/**
 * Writes what a command made: at once and as a whole, never through a symbolic link. What is no file, such as `/dev/null`, is
 * written to.
 * @throws {@link BadInputError} if the file cannot be written.
 */
export function writeOutput(
  path: string,
  text: string,
  { isReplacing, mode }: OutputOptions,
): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isSymbolicLink()) throw new Error('expected a file, received a symbolic link');
    const isFile = there === undefined || there.isFile();
    const isMoved = isReplacing && isFile;
    writeFileSync(isMoved ? draft : path, text, isFile ? { flag: 'wx', mode } : {});
    if (isMoved) renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new BadInputError(path, fileProblem(error), { cause: error });
  }
}

/**
 * Refuses an output that is one of the inputs, by whatever name.
 * @throws {@link BadInputError}
 */
export async function checkOutput(output: string, inputs: readonly string[]): Promise<void> {
  const there = statsOf(output);
  if (there === undefined) return;
  for (const input of inputs) {
    // Whoever reads what is not there says so.
    if (input !== '-' && statsOf(input) === undefined) continue;
    for await (const { source } of findFiles(input)) {
      if (source === '-' || !isSame(there, statsOf(source))) continue;
      throw new BadInputError(
        output,
        `it is read as ${source} and cannot be replaced; name another file with -o`,
      );
    }
  }
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

/** What cannot be looked at is not there, or says so when it is opened. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
