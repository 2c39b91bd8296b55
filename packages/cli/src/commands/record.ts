import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { examples } from './examples.ts';
import { EXIT } from './exit-codes.ts';

const EXAMPLES = examples([
  'teamfuse record --out may.jsonl -- node app.js',
  'runs the program unchanged and records it',
]);
const NOT_FOUND = 127;
const NOT_RUN = 126;
/** What a shell adds to the number of a signal that ended a program. */
const SIGNALLED = 128;

/** `teamfuse record`. `done` is given the exit code of the program. */
export function recordCommand(done: (exitCode: number) => void): Command<[string[]]> {
  return new Command('record')
    .description('Run a Node program and record every breaker in it.')
    .argument('<command...>', 'the program and its arguments, such as: -- node app.js')
    .option(
      '--out <file>',
      'the file to record to; an existing one is appended to',
      'recording.jsonl',
    )
    .addHelpText('after', EXAMPLES)
    .passThroughOptions()
    .action(async (command, { out }) => {
      done(await record(command, resolve(out)));
    }) as unknown as Command<[string[]]>;
}

/** Runs a program with the recorder loaded ahead of it. Resolves to its exit code. */
async function record([name = '', ...args]: readonly string[], file: string): Promise<number> {
  const before = sizeOf(file);
  const preload = import.meta.resolve('@teamfuse/recorder/preload');
  const { NODE_OPTIONS = '' } = process.env;
  const child = spawn(name, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `${NODE_OPTIONS} --import=${preload}`.trim(),
      TEAMFUSE_RECORDING: file,
    },
  });
  // Ctrl-C reaches the program by itself, as part of the same terminal; it decides what becomes of that.
  const interrupt = (): void => {};
  const terminate = (signal: NodeJS.Signals): boolean => child.kill(signal);
  process.on('SIGINT', interrupt).on('SIGTERM', terminate).on('SIGHUP', terminate);
  try {
    const exitCode = await exitCodeOf(child, name);
    if (exitCode === NOT_FOUND || exitCode === NOT_RUN) return exitCode;
    const told =
      sizeOf(file) > before
        ? `recorded to ${file}`
        : `nothing was recorded to ${file}: no breaker observed a signal, or none could be written`;
    console.error(`teamfuse: ${told}`);
    return exitCode;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', terminate).off('SIGHUP', terminate);
  }
}

function exitCodeOf(child: ReturnType<typeof spawn>, name: string): Promise<number> {
  return new Promise((resolveCode) => {
    child.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      console.error(`teamfuse: cannot run ${name}: ${code}`);
      resolveCode(code === 'ENOENT' ? NOT_FOUND : NOT_RUN);
    });
    child.once('close', (code, signal) => {
      resolveCode(signal === null ? (code ?? EXIT.clean) : SIGNALLED + constants.signals[signal]);
    });
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
