import { writeFileSync } from 'node:fs';
import { BadInputError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';

/**
 * Writes what a command made.
 * @param isReplacing whether a file that is there may go.
 * @throws {@link BadInputError} if the file cannot be written.
 */
export function writeOutput(path: string, text: string, isReplacing: boolean): void {
  try {
    writeFileSync(path, text, { flag: isReplacing ? 'w' : 'wx' });
  } catch (error) {
    throw new BadInputError(path, fileProblem(error), { cause: error });
  }
}
