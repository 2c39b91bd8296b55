import type { StoredProgram } from '../block-sequence.ts';
import type { CodeBlock, CodeResult } from '../code-executor.ts';
import { CommandLineCodeExecutor } from '../command-line-code-executor.ts';
import type { OpenDirectories } from '../directories.ts';
import { CodeExecutorError } from '../errors.ts';
import { type Enclosure, markedEnclosure } from '../program/enclosure.ts';
import type { ProgramLimits } from '../program/limits.ts';
import { runProgram } from '../program/program.ts';
import { resultOf } from '../program/result.ts';
import { type EnvironmentChoice, programEnvironment } from './environment.ts';
import { Growth } from './growth.ts';
import { openNamespace } from './namespace.ts';
import {
  checkLocalOptions,
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
export class LocalCommandLineCodeExecutor extends CommandLineCodeExecutor {
  readonly #env: EnvironmentChoice;
  readonly #passEnv: readonly string[];
  readonly #isolation: 'auto' | 'required' | 'none';
  readonly #limits: ProgramLimits;
  readonly #givenLimits: readonly string[];

  constructor(options: LocalCommandLineCodeExecutorOptions = {}) {
    checkLocalOptions(options);
    super(options);
    this.#env = options.env ?? 'minimal';
    this.#passEnv = options.passEnv ?? [];
    this.#isolation = options.isolation ?? 'auto';
    this.#limits = readLimits(options);
    this.#givenLimits = givenLimits(options);
  }

  /** Whether the option `environment` was given. */
  get hasOwnEnv(): boolean {
    return this.#env !== 'minimal' || this.#passEnv.length > 0;
  }

  /** The names of the limits it was given, `isolation` among them unless that is `auto`. */
  get givenLimits(): readonly string[] {
    return this.#givenLimits;
  }

  protected runAll(blocks: readonly CodeBlock[], signal: AbortSignal): Promise<CodeResult> {
    return this.inOrder(blocks, signal, (program, open) => this.#run(program, open, signal));
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
      exceeded: (isOver) => growth.exceeded(isOver),
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
      "option 'isolation': 'required' needs a Linux process namespace, which this system does not allow",
    );
  }
}
