/** A piece of code an agent wrote. */
export interface CodeBlock {
  readonly code: string;
  readonly language: string;
}

/** What came of running code blocks. */
export interface CodeResult {
  /** The exit code of the last block run: 124 after a time-out, 125 when cancelled, negative for a signal. */
  readonly exitCode: number;
  /** What the blocks printed, standard error before standard output. */
  readonly output: string;
  /** The file the first block was written to. */
  readonly codeFile?: string;
}

/** Runs code blocks in order and stops at the first that fails. */
export interface CodeExecutor {
  executeCodeBlocks(
    blocks: readonly CodeBlock[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<CodeResult>;
  /** Forgets what earlier blocks left behind, where there is anything to forget. */
  restart?(): Promise<void>;
}
