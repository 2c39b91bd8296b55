import type { CodeResult } from '../code-executor.ts';
import type { ProgramEnd } from './program.ts';

/** The result of a program that ended. Exit codes and texts are those of AutoGen's local command line executor. */
export function resultOf(end: ProgramEnd): CodeResult {
  switch (end.kind) {
    case 'exited':
      return { exitCode: end.exitCode, output: end.output };
    case 'timed-out':
      return { exitCode: 124, output: `${end.output}\nTimeout` };
    case 'cancelled':
      return { exitCode: 125, output: `${end.output}\nCancelled` };
    case 'over-limit':
      return { exitCode: 126, output: `${end.output}\nStopped: ${end.limit}` };
    case 'not-started':
      return { exitCode: 127, output: `The program could not be started: ${end.message}` };
  }
}
