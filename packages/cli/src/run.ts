import { CommanderError } from '@commander-js/extra-typings';
import { PolicyError } from '@teamfuse/config';
import { InvalidOptionError } from '@teamfuse/core';
import { EXIT } from './commands/exit-codes.ts';
import { BadInputError } from './input/bad-input-error.ts';
import { cleanForTerminal } from './output/clean.ts';
import { programOf } from './program.ts';
import { NoJudgeError } from './replay/asked-judge.ts';

/** Runs a command line as Node gives it. Resolves to the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.clean;
  const program = programOf((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    // The parser has said itself what is wrong with the command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
    if (error instanceof InvalidOptionError || error instanceof PolicyError) {
      return failed(error, EXIT.usage);
    }
    if (error instanceof BadInputError) return failed(error, EXIT.badInput);
    if (error instanceof NoJudgeError) return failed(error, EXIT.noJudge);
    throw error;
  }
}

function failed(error: Error, exitCode: number): number {
  console.error(cleanForTerminal(`teamfuse: ${error.message}`));
  return exitCode;
}
