import { EXIT } from '../commands/exit-codes.ts';
import { fileProblem } from '../input/file-problem.ts';

/**
 * Lets this process go on when who reads it goes away, such as `head`. Output that cannot be written otherwise, such as to a
 * full disk, ends it with one line.
 */
export function surviveLostOutput(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    console.error(`teamfuse: standard output: ${fileProblem(error)}`);
    process.exit(EXIT.badInput);
  });
}
