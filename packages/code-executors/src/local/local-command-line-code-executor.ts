import { runInOrder, type SequenceOptions, type StoredProgram } from '../block-sequence.ts';
import type { CodeBlock, CodeExecutor, CodeResult } from '../code-executor.ts';
import { Directories, type OpenDirectories } from '../directories.ts';
import { CodeExecutorError } from '../errors.ts';
import { integer, LONGEST_TIMER_MS } from '../integer.ts';
import { type Enclosure, markedEnclosure } from '../program/enclosure.ts';
import type { ProgramLimits } from '../program/limits.ts';
import { runProgram } from '../program/program.ts';
import { resultOf } from '../program/result.ts';
import { Runs } from '../runs.ts';
import { type EnvironmentChoice, programEnvironment } from './environment.ts';
import { Growth } from './growth.ts';
import { openNamespace } from './namespace.ts';
import {
  checkChoices,
  givenLimits,
  type LocalCommandLineCodeExecutorOptions,
  readLimits,
} from './options.ts';

/**
 * Runs code blocks on this machine, with the rights of this user: no sandbox.
 *
 * @example
 * ```ts
 * await using executor = new LocalCommandLineCodeExecutor({ timeoutMs: 10_000 });
 * const { exitCode, output } = await executor.executeCodeBlocks([
 *   { language: 'sh', code: 'echo hello' },
 * ]);
 * exitCode; // => 0
 * output; // => 'hello\n'
 * ```
 */
export class LocalCommandLineCodeExecutor implements CodeExecutor, AsyncDisposable {
  /** The directory it was given, as it was given. */
  readonly workDir: string | undefined;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly cleanupTempFiles: boolean;
  readonly #env: EnvironmentChoice;
  readonly #passEnv: readonly string[];
  readonly #isolation: 'auto' | 'required' | 'none';
  readonly #limits: ProgramLimits;
  readonly #givenLimits: readonly string[];
  readonly #directories: Directories;
  readonly #runs = new Runs();

  constructor(options: LocalCommandLineCodeExecutorOptions = {}) {
    checkChoices(options);
    const { timeoutMs = 60_000, maxOutputBytes = 1_048_576 } = options;
    this.workDir = options.workDir;
    this.timeoutMs = integer('timeoutMs', timeoutMs, LONGEST_TIMER_MS);
    this.maxOutputBytes = integer('maxOutputBytes', maxOutputBytes);
    this.cleanupTempFiles = options.cleanupTempFiles ?? false;
    this.#env = options.env ?? 'minimal';
    this.#passEnv = options.passEnv ?? [];
    this.#isolation = options.isolation ?? 'auto';
    this.#limits = readLimits(options);
    this.#givenLimits = givenLimits(options);
    this.#directories = new Directories(options.workDir);
  }

  /** Whether it was told what environment the programs have. */
  get hasOwnEnv(): boolean {
    return this.#env !== 'minimal' || this.#passEnv.length > 0;
  }

  /** The names of the limits it was given, `isolation` among them unless that is `auto`. */
  get givenLimits(): readonly string[] {
    return this.#givenLimits;
  }

  /**
   * Runs the blocks in order up to the first that fails; a program that fails is a result, not an error.
   *
   * @throws {@link CodeExecutorError} `CLOSED`, or `ISOLATION_UNAVAILABLE` before anything runs
   */
  async executeCodeBlocks(
    blocks: readonly CodeBlock[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<CodeResult> {
    this.#directories.throwIfClosed();
    return this.#runs.add(signal, (stop) => this.#runAll(blocks, stop));
  }

  /** Cancels what is running and removes the temporary directory. Closing twice is harmless. */
  async close(): Promise<void> {
    this.#directories.close();
    await this.#runs.cancel();
    await this.#directories.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #runAll(blocks: readonly CodeBlock[], signal: AbortSignal): Promise<CodeResult> {
    const open = await this.#directories.open();
    const options: SequenceOptions = {
      workDir: open.work,
      cleanupTempFiles: this.cleanupTempFiles,
      signal,
      run: (program) => this.#run(program, open, signal),
    };
    return runInOrder(blocks, options);
  }

  async #run(
    { language, path }: StoredProgram,
    open: OpenDirectories,
    signal: AbortSignal,
  ): Promise<CodeResult> {
    const growth = await Growth.start(Object.values(open), this.#limits, path);
    const enclosure = await this.#enclosure();
    // Not some other Node of the search path.
    const command = language.command === 'node' ? process.execPath : language.command;
    const end = await runProgram({
      command: [command, ...language.args, path],
      cwd: open.work,
      env: programEnvironment(this.#env, this.#passEnv, open),
      timeoutMs: this.timeoutMs,
      maxOutputBytes: this.maxOutputBytes,
      limits: this.#limits,
      signal,
      enclosure,
      exceeded: () => growth.exceeded(),
    });
    return resultOf(end);
  }

  async #enclosure(): Promise<Enclosure> {
    if (this.#isolation === 'none') return markedEnclosure();
    const namespace = await openNamespace();
    if (namespace !== undefined) return namespace;
    if (this.#isolation === 'auto') return markedEnclosure();
    throw new CodeExecutorError(
      'ISOLATION_UNAVAILABLE',
      "option 'isolation': this system does not let programs run in a namespace of their own, which 'required' asks for",
    );
  }
}
