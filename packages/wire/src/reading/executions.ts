/** What is recorded of code that was run. */
export interface ReportedRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut?: boolean;
}

const REPORT =
  /^exitcode: (-?\d{1,9}) \(execution (?:succeeded|failed)\)(?:\r?\n|$)(?:Code output: ?)?/;
const SCRIPT_FAILED =
  /^The script ran, then exited with an error \(POSIX exit code: (-?\d{1,9})\)\nIts output was:\n/;
const SCRIPT_SILENT =
  /^The script ran but produced no output to console\. The POSIX exit code was: (-?\d{1,9})\./;

/** The run that a text reports in the words of either AutoGen generation; `undefined` for any other text. */
export function readRun(text: string): ReportedRun | undefined {
  for (const form of [REPORT, SCRIPT_FAILED]) {
    const found = form.exec(text);
    if (found) return run(Number(found[1]), text.slice(found[0].length));
  }
  const silent = SCRIPT_SILENT.exec(text);
  return silent ? run(Number(silent[1]), '') : undefined;
}

/** An exit code as recorded. A negative one is the signal that ended the process; where none is recorded, nothing is known to have failed. */
export function exitCodeOf(value: unknown): number | null {
  if (!Number.isSafeInteger(value)) return 0;
  return (value as number) < 0 ? null : (value as number);
}

function run(exitCode: number, output: string): ReportedRun {
  return { exitCode: exitCodeOf(exitCode), output };
}

/** Code that a message shows. */
export interface ShownCode {
  readonly language: string;
  readonly code: string;
}

const FENCED_CODE = /```(\w*)\r?\n([\s\S]*?)```/g;
const MAX_CODE_SEARCH = 100_000;

/** The code in the fenced blocks of a text, which AutoGen runs together; `undefined` if there is none. */
export function shownCode(text: string): ShownCode | undefined {
  if (!text.includes('```')) return undefined;
  const blocks = [...text.slice(0, MAX_CODE_SEARCH).matchAll(FENCED_CODE)];
  const [first] = blocks;
  if (first === undefined) return undefined;
  const code = blocks.map((block) => block[2] ?? '').join('\n');
  return { language: (first[1] ?? '').toLowerCase(), code };
}
