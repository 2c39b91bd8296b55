/// <reference lib="esnext.disposable" preserve="true" />
import { runInOrder, type StoredProgram } from './block-sequence.ts';
import type { CodeBlock, CodeExecutor, CodeResult } from './code-executor.ts';
import { Directories, type OpenDirectories } from './directories.ts';
import { integer, LONGEST_TIMER_MS } from './integer.ts';
import { Runs } from './runs.ts';

/** The options of every executor that stores code in files and runs them. */
export interface CommandLineOptions {
  /**
   * Where blocks are stored and run; a container sees it as `/workspace`. A directory given here is kept by `close()`.
   * @defaultValue a new temporary directory, removed by `close()`
   */
  readonly workDir?: string;
  /**
   * How long one block may run, the start of its container included. At least 1, at most 2,147,483,647.
   * @defaultValue 60_000
   */
  readonly timeoutMs?: number;
  /**
   * How much is kept of each of the two streams of a block: its first and its last half.
   * @defaultValue 1_048_576
   */
  readonly maxOutputBytes?: number;
  /**
   * Whether the files blocks were written to are removed once the last block has run.
   * @defaultValue false
   */
  readonly cleanupTempFiles?: boolean;
}

/** Stores code blocks in files and runs them one after the other. Where a program runs is up to the subclass. */
export abstract class CommandLineCodeExecutor implements CodeExecutor, AsyncDisposable {
  /** The directory it was given, as it was given. */
  readonly workDir: string | undefined;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly cleanupTempFiles: boolean;
  readonly #directories: Directories;
  readonly #runs = new Runs();

  constructor(options: CommandLineOptions) {
    const { timeoutMs = 60_000, maxOutputBytes = 1_048_576 } = options;
    this.workDir = options.workDir;
    this.timeoutMs = integer('timeoutMs', timeoutMs, LONGEST_TIMER_MS);
    this.maxOutputBytes = integer('maxOutputBytes', maxOutputBytes);
    this.cleanupTempFiles = options.cleanupTempFiles ?? false;
    this.#directories = new Directories(options.workDir);
  }

  /**
   * Runs the blocks in order up to the first that fails; a program that fails is a result, not an error.
   *
   * @throws {@link CodeExecutorError} `CLOSED`, or, before anything runs, that the place where programs run is unavailable
   */
  async executeCodeBlocks(
    blocks: readonly CodeBlock[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<CodeResult> {
    this.#directories.throwIfClosed();
    return this.#runs.add(signal, (stop) => this.runAll(blocks, stop));
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

  /** Runs all blocks, which {@link inOrder} stores and hands on. */
  protected abstract runAll(blocks: readonly CodeBlock[], signal: AbortSignal): Promise<CodeResult>;

  protected async inOrder(
    blocks: readonly CodeBlock[],
    signal: AbortSignal,
    run: (program: StoredProgram, open: OpenDirectories) => Promise<CodeResult>,
  ): Promise<CodeResult> {
    const open = await this.#directories.open();
    return runInOrder(blocks, {
      workDir: open.work,
      cleanupTempFiles: this.cleanupTempFiles,
      signal,
      run: (program) => run(program, open),
    });
  }
}
