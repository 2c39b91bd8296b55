import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CodeBlock, CodeExecutor, CodeResult } from './code-executor.ts';
import { CodeExecutorError } from './errors.ts';
import { findLanguage } from './language.ts';
import { type ProgramEnd, runProgram } from './program.ts';
import { removeFiles, storeBlock } from './workspace.ts';

/** Options of {@link LocalCommandLineCodeExecutor}. */
export interface LocalCommandLineCodeExecutorOptions {
  /**
   * Where blocks are stored and run. A directory given here is kept by `close()`.
   * @defaultValue a new temporary directory, removed by `close()`
   */
  readonly workDir?: string;
  /**
   * How long one block may run. At least 1, at most 2,147,483,647.
   * @defaultValue 60_000
   */
  readonly timeoutMs?: number;
  /**
   * How much is kept of each of the two streams of a block: its first and its last half.
   * @defaultValue 1_048_576
   */
  readonly maxOutputBytes?: number;
  /**
   * The whole environment of the programs. Give one to keep keys and passwords out of their reach.
   * @defaultValue the environment of this process
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether the files blocks were written to are removed once the last block has run.
   * @defaultValue false
   */
  readonly cleanupTempFiles?: boolean;
}

const LONGEST_TIMER_MS = 2_147_483_647;

type Directory =
  | { readonly kind: 'given'; readonly path: string }
  | { readonly kind: 'temporary'; readonly path: Promise<string> }
  | { readonly kind: 'none' }
  | { readonly kind: 'closed' };

/**
 * Runs code blocks on this machine, with the rights of this process: no sandbox.
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
  readonly #env: Readonly<Record<string, string | undefined>> | undefined;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<CodeResult>>();
  #directory: Directory;

  constructor({
    workDir,
    timeoutMs = 60_000,
    maxOutputBytes = 1_048_576,
    env,
    cleanupTempFiles = false,
  }: LocalCommandLineCodeExecutorOptions = {}) {
    this.workDir = workDir;
    this.timeoutMs = integer('timeoutMs', timeoutMs, LONGEST_TIMER_MS);
    this.maxOutputBytes = integer('maxOutputBytes', maxOutputBytes, Number.MAX_SAFE_INTEGER);
    this.cleanupTempFiles = cleanupTempFiles;
    this.#env = env;
    this.#directory =
      workDir === undefined ? { kind: 'none' } : { kind: 'given', path: resolve(workDir) };
  }

  /** Whether it was given an environment for the programs. */
  get hasOwnEnv(): boolean {
    return this.#env !== undefined;
  }

  /** Runs the blocks in order up to the first that fails; a program that fails is a result, not an error. */
  async executeCodeBlocks(
    blocks: readonly CodeBlock[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<CodeResult> {
    if (this.#directory.kind === 'closed') {
      throw new CodeExecutorError('CLOSED', 'the code executor is closed and runs nothing more');
    }
    const stop = AbortSignal.any(signal ? [this.#closing.signal, signal] : [this.#closing.signal]);
    const run = this.#runAll(blocks, stop);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Cancels what is running and removes the temporary directory. Closing twice is harmless. */
  async close(): Promise<void> {
    const directory = this.#directory;
    this.#directory = { kind: 'closed' };
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    if (directory.kind === 'temporary') {
      await rm(await directory.path, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #runAll(blocks: readonly CodeBlock[], signal: AbortSignal): Promise<CodeResult> {
    const cwd = await this.#openDirectory();
    const files: string[] = [];
    let result: CodeResult = { exitCode: 0, output: '' };
    for (const block of blocks) {
      const { exitCode, output, codeFile } = await this.#runBlock(block, cwd, signal);
      if (codeFile !== undefined) files.push(codeFile);
      result = { exitCode, output: result.output + output };
      if (exitCode !== 0) break;
    }
    // Not before the last block: a later one may use the file of an earlier one.
    if (this.cleanupTempFiles) await removeFiles(files);
    const [codeFile] = files;
    return { ...result, ...(codeFile !== undefined && { codeFile }) };
  }

  async #runBlock(block: CodeBlock, cwd: string, signal: AbortSignal): Promise<CodeResult> {
    const language = findLanguage(block.language);
    if (language === undefined) return failed(`\nunknown language ${block.language.toLowerCase()}`);
    if (signal.aborted) return { exitCode: 125, output: '\nCancelled' };
    const stored = await storeBlock(cwd, block, language.extension);
    if (stored.kind === 'refused') return failed(stored.message);
    const end = await runProgram({
      command: language.command,
      args: [...language.args, stored.path],
      cwd,
      env: this.#env ?? process.env,
      timeoutMs: this.timeoutMs,
      maxOutputBytes: this.maxOutputBytes,
      signal,
    });
    return { ...resultOf(end), codeFile: stored.path };
  }

  async #openDirectory(): Promise<string> {
    if (this.#directory.kind === 'none') {
      this.#directory = { kind: 'temporary', path: mkdtemp(join(tmpdir(), 'teamfuse-')) };
    }
    if (this.#directory.kind === 'temporary') return this.#directory.path;
    if (this.#directory.kind === 'given') {
      await mkdir(this.#directory.path, { recursive: true });
      return this.#directory.path;
    }
    throw new CodeExecutorError('CLOSED', 'the code executor is closed and runs nothing more');
  }
}

// The exit codes and texts are those of AutoGen's local command line executor.
function resultOf(end: ProgramEnd): CodeResult {
  switch (end.kind) {
    case 'exited':
      return { exitCode: end.exitCode, output: end.output };
    case 'timed-out':
      return { exitCode: 124, output: `${end.output}\nTimeout` };
    case 'cancelled':
      return { exitCode: 125, output: `${end.output}\nCancelled` };
    case 'not-started':
      return { exitCode: 127, output: `The program could not be started: ${end.message}` };
  }
}

function failed(output: string): CodeResult {
  return { exitCode: 1, output };
}

function integer(option: string, value: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new CodeExecutorError(
    'INVALID_OPTION',
    `option '${option}': expected an integer from 1 to ${max}, received ${String(value)}`,
  );
}
