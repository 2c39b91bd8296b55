import { randomUUID } from 'node:crypto';
import { runInOrder, type StoredProgram } from '../block-sequence.ts';
import type { CodeBlock, CodeExecutor, CodeResult } from '../code-executor.ts';
import { Directories } from '../directories.ts';
import { CodeExecutorError } from '../errors.ts';
import { integer, LONGEST_TIMER_MS } from '../integer.ts';
import { runProgram } from '../program/program.ts';
import { resultOf } from '../program/result.ts';
import { Runs } from '../runs.ts';
import { containerEnclosure, prepareDocker } from './docker.ts';
import { dockerRun } from './docker-run.ts';
import type { ContainerOptions, DockerCommandLineCodeExecutorOptions } from './options.ts';

/**
 * Runs each code block in a Docker container of its own, through the Docker client, and never on this machine.
 *
 * The container has no network, no capabilities, nothing of this process's environment, and of its files only the work
 * directory. What a block leaves outside the work directory is gone when it is over.
 *
 * @example
 * ```ts
 * await using executor = new DockerCommandLineCodeExecutor({ image: 'python:3-slim' });
 * const result = await executor.executeCodeBlocks([{ language: 'python', code: 'print(6 * 7)' }]);
 * ```
 */
export class DockerCommandLineCodeExecutor implements CodeExecutor, AsyncDisposable {
  /** The directory it was given, as it was given. */
  readonly workDir: string | undefined;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly cleanupTempFiles: boolean;
  readonly #container: ContainerOptions;
  readonly #directories: Directories;
  readonly #runs = new Runs();
  #docker: string | undefined;

  constructor(options: DockerCommandLineCodeExecutorOptions = {}) {
    const { timeoutMs = 60_000, maxOutputBytes = 1_048_576 } = options;
    this.workDir = options.workDir;
    this.timeoutMs = integer('timeoutMs', timeoutMs, LONGEST_TIMER_MS);
    this.maxOutputBytes = integer('maxOutputBytes', maxOutputBytes);
    this.cleanupTempFiles = options.cleanupTempFiles ?? false;
    this.#container = {
      image: word('image', options.image ?? 'python:3-slim'),
      network: word('network', options.network ?? 'none'),
      maxMemoryBytes: integer('maxMemoryBytes', options.maxMemoryBytes ?? 2_147_483_648),
      maxProcesses: integer('maxProcesses', options.maxProcesses ?? 256),
      maxFileBytes: integer('maxFileBytes', options.maxFileBytes ?? 4_294_967_296),
    };
    this.#directories = new Directories(options.workDir);
  }

  /**
   * Runs the blocks in order up to the first that fails; a program that fails is a result, not an error.
   *
   * @throws {@link CodeExecutorError} `CLOSED`, or `DOCKER_UNAVAILABLE` before anything runs
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
    this.#docker ??= await prepareDocker(this.#container.image, signal);
    const docker = this.#docker;
    if (docker === undefined) return { exitCode: 125, output: '\nCancelled' };
    const { work } = await this.#directories.open();
    return runInOrder(blocks, {
      workDir: work,
      cleanupTempFiles: this.cleanupTempFiles,
      signal,
      run: (program) => this.#run(docker, program, work, signal),
    });
  }

  async #run(
    docker: string,
    program: StoredProgram,
    work: string,
    signal: AbortSignal,
  ): Promise<CodeResult> {
    const name = `teamfuse-${randomUUID()}`;
    const end = await runProgram({
      command: dockerRun(docker, program, work, name, this.#container),
      cwd: work,
      // That of the client, which finds its daemon and its credentials there; the container gets none of it.
      env: process.env,
      timeoutMs: this.timeoutMs,
      maxOutputBytes: this.maxOutputBytes,
      limits: undefined,
      signal,
      enclosure: containerEnclosure(docker, name),
      exceeded: async () => undefined,
    });
    return resultOf(end);
  }
}

/** An empty name, or one that the client would take for an option, would change what is run. */
function word(option: string, value: string): string {
  if (typeof value === 'string' && /^[^\s-]\S*$/.test(value)) return value;
  throw new CodeExecutorError(
    'INVALID_OPTION',
    `option '${option}': expected a name, received ${JSON.stringify(value)}`,
  );
}
