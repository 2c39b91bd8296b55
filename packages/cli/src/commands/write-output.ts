import { writeFileSync } from 'node:fs';
import { BadInputError } from '../input/bad-input-error.ts';

/**
 * Writes what a command made.
 * @param isReplacing whether a file that is there may go.
 * @throws {@link BadInputError} if the file cannot be written.
 */
export function writeOutput(path: string, text: string, isReplacing: boolean): void {
  try {
    writeFileSync(path, text, { flag: isReplacing ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'EEXIST' ? 'is there already: --force writes over it' : message;
    throw new BadInputError(path, problem);
  }
}
