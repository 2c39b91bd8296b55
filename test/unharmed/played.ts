import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SQLITE_NODE } from '../../packages/stores/test/support/sqlite-node.ts';

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));
const OWN_EXIT_CODE = 3;
/** For a program that does not end at all. */
const PATIENCE_MS = 60_000;

interface Ended {
  readonly code: unknown;
  readonly signal: unknown;
  readonly problems: readonly string[];
}

/** Plays scenes in a process of their own, and waits until that has ended by itself. */
export function played(part: string): Promise<Ended> {
  const args = ['--no-warnings', '--conditions=@teamfuse/source', PROGRAM, part];
  return new Promise((resolve) => {
    execFile(SQLITE_NODE as string, args, { timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      const { code = 0, signal = null } = error ?? {};
      const problems = stdout === '' ? [stderr] : JSON.parse(stdout);
      resolve({ code, signal, problems });
    });
  });
}

/** Every failure was heard of, nobody else heard of it, and the process ended at once, by itself, with its own exit code. */
export const unharmed: Ended = { code: OWN_EXIT_CODE, signal: null, problems: [] };
