import type { CodeResult } from '@teamfuse/code-executors';

/** The answer when no message has a code block that may run. */
export const NO_CODE_BLOCKS: string =
  'No code blocks found in the thread. Please provide at least one markdown-encoded code block ' +
  'to execute (i.e., quoting code in ```python or ```sh code blocks).';

/** The answer after a refused execution. */
export function refusedText(reason: string): string {
  return `Code execution was not approved. Reason: ${reason}`;
}

/**
 * The answer after an execution.
 *
 * Only the exit code shows a failure that prints nothing; the text does not mention an error.
 */
export function executionText({ exitCode, output }: CodeResult): string {
  if (output.trim() === '') {
    return (
      `The script ran but produced no output to console. The POSIX exit code was: ${exitCode}. ` +
      'If you were expecting output, consider revising the script to ensure content is printed to stdout.'
    );
  }
  if (exitCode === 0) return output;
  return `The script ran, then exited with an error (POSIX exit code: ${exitCode})\nIts output was:\n${output}`;
}
