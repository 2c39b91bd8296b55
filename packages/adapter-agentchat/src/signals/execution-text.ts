/** What a text of a code executor agent says about the code it ran. */
export interface ReportedExecution {
  readonly exitCode: number;
  readonly output: string;
}

/** Text before the output of code that failed. */
const FAILED =
  /^The script ran, then exited with an error \(POSIX exit code: (-?\d+)\)\nIts output was:\n/;

/** Text about code that printed nothing, failed or not: it has no word of an error. */
const SILENT =
  /^The script ran but produced no output to console\. The POSIX exit code was: (-?\d+)\./;

const NOT_RUN = ['No code blocks found in the thread.', 'Code execution was not approved.'];

/** Reads a text that only a code executor agent writes; `undefined` for any other, plain output included. */
export function readExecutionText(text: string): ReportedExecution | undefined {
  const failed = FAILED.exec(text);
  if (failed !== null) {
    return { exitCode: Number(failed[1]), output: text.slice(failed[0].length) };
  }
  const silent = SILENT.exec(text);
  return silent === null ? undefined : { exitCode: Number(silent[1]), output: '' };
}

/** Whether a code executor agent says with this text that no code was run. */
export function saysNotRun(text: string): boolean {
  return NOT_RUN.some((start) => text.startsWith(start));
}
