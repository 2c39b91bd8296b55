import type { CodeResult } from '@teamfuse/code-executors';

/** What the agent says when nobody wrote a code block it may run. */
export const NO_CODE_BLOCKS: string =
  'No code blocks found in the thread. Please provide at least one markdown-encoded code block ' +
  'to execute (i.e., quoting code in ```python or ```sh code blocks).';

/** What the agent says about a refused execution. */
export function refusedText(reason: string): string {
  return `Code execution was not approved. Reason: ${reason}`;
}

/**
 * What the agent says about an execution.
 *
 * A failure that prints nothing is told by its exit code alone: the text has no word of an error.
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
