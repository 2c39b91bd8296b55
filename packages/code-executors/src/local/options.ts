import { checkOptions, refuse } from '../check-options.ts';
import type { CommandLineOptions } from '../command-line-code-executor.ts';
import { integer } from '../integer.ts';
import type { ProgramLimits } from '../program/limits.ts';
import type { EnvironmentChoice } from './environment.ts';

/** Options of {@link LocalCommandLineCodeExecutor}. */
export interface LocalCommandLineCodeExecutorOptions extends CommandLineOptions {
  /**
   * The environment of the programs. `minimal` gives them the search path, the language and the time zone, and
   * directories of this executor as `HOME` and `TMPDIR`. `inherit` gives them all of this process, keys and
   * passwords included. An object is the whole environment.
   * @defaultValue 'minimal'
   */
  readonly env?: EnvironmentChoice;
  /**
   * Further variables of this process for the minimal environment, such as `HOME`.
   * @defaultValue []
   */
  readonly passEnv?: readonly string[];
  /**
   * Whether programs run in a Linux namespace, where they neither see this process nor outlive their block. `auto`
   * does where the system allows it; `required` refuses to run anything where it does not; `none` never does.
   * @defaultValue 'auto'
   */
  readonly isolation?: 'auto' | 'required' | 'none';
  /**
   * Bytes of memory one process of a block may take. Not held on Windows and macOS.
   * @defaultValue 4_294_967_296
   */
  readonly maxMemoryBytes?: number;
  /**
   * Processes and threads a block may have at a time. Held at once in a namespace unless this process is root's;
   * otherwise looked at four times a second, and never where there is no `/proc`.
   * @defaultValue 512
   */
  readonly maxProcesses?: number;
  /**
   * Files a block may make or change, in its work directory and its `HOME` and `TMPDIR`. Looked at four times a second.
   * @defaultValue 100_000
   */
  readonly maxFiles?: number;
  /**
   * Bytes of one file, which the system holds, and of all such files, looked at four times a second.
   * @defaultValue 4_294_967_296
   */
  readonly maxFileBytes?: number;
}

/** Reads the limits among the options. @throws {@link CodeExecutorError} */
export function readLimits({
  maxMemoryBytes = 4_294_967_296,
  maxProcesses = 512,
  maxFiles = 100_000,
  maxFileBytes = 4_294_967_296,
}: LocalCommandLineCodeExecutorOptions): ProgramLimits {
  return {
    maxMemoryBytes: integer('maxMemoryBytes', maxMemoryBytes),
    maxProcesses: integer('maxProcesses', maxProcesses),
    maxFiles: integer('maxFiles', maxFiles),
    maxFileBytes: integer('maxFileBytes', maxFileBytes),
  };
}

/** The names of the limits among the options that are not left at their default. */
export function givenLimits(options: LocalCommandLineCodeExecutorOptions): string[] {
  const { isolation = 'auto', maxMemoryBytes, maxProcesses, maxFiles, maxFileBytes } = options;
  const limits = { maxMemoryBytes, maxProcesses, maxFiles, maxFileBytes };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return [...(isolation === 'auto' ? [] : ['isolation']), ...given.map(([name]) => name)];
}

const LOCAL = [
  ...['env', 'passEnv', 'isolation'],
  ...['maxMemoryBytes', 'maxProcesses', 'maxFiles', 'maxFileBytes'],
];

/** Refuses options that do not exist or are of another kind. @throws {@link CodeExecutorError} */
export function checkLocalOptions(options: LocalCommandLineCodeExecutorOptions): void {
  checkOptions(options, LOCAL);
  const { env, passEnv, isolation } = options;
  if (env !== undefined) checkEnvironment(env);
  if (isolation !== undefined && !['auto', 'required', 'none'].includes(isolation)) {
    refuse('isolation', "'auto', 'required' or 'none'", isolation);
  }
  if (passEnv === undefined) return;
  if ((env ?? 'minimal') !== 'minimal')
    refuse('passEnv', "nothing unless 'env' is 'minimal'", passEnv);
  if (!Array.isArray(passEnv) || passEnv.some((name) => typeof name !== 'string')) {
    refuse('passEnv', 'a list of names', passEnv);
  }
}

/** A value is not repeated if it is a text, which may be a secret. */
function checkEnvironment(env: unknown): void {
  if (env === 'minimal' || env === 'inherit') return;
  if (typeof env !== 'object' || env === null || Array.isArray(env)) {
    refuse('env', "'minimal', 'inherit' or an object", env);
  }
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (typeof value !== 'string') refuse(`env.${name}`, 'a text', value);
    if (value.includes('\0')) refuse(`env.${name}`, 'a text without NUL', '[…]');
  }
}
