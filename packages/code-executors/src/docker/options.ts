/** Options of {@link DockerCommandLineCodeExecutor}. */
export interface DockerCommandLineCodeExecutorOptions {
  /**
   * The image blocks run in; it is pulled when it is missing. It has to contain the interpreters.
   * @defaultValue 'python:3-slim'
   */
  readonly image?: string;
  /**
   * The directory the container sees as `/workspace`: where blocks are stored and run. One given here is kept by `close()`.
   * @defaultValue a new temporary directory, removed by `close()`
   */
  readonly workDir?: string;
  /**
   * How long one block may run, its container's start included. At least 1, at most 2,147,483,647.
   * @defaultValue 60_000
   */
  readonly timeoutMs?: number;
  /**
   * How much is kept of each of the two streams of a block: its first and its last half.
   * @defaultValue 1_048_576
   */
  readonly maxOutputBytes?: number;
  /**
   * The network of the container, as `docker run --network` takes it.
   * @defaultValue 'none'
   */
  readonly network?: string;
  /**
   * Bytes of memory of the container.
   * @defaultValue 2_147_483_648
   */
  readonly maxMemoryBytes?: number;
  /**
   * Processes and threads in the container at a time.
   * @defaultValue 256
   */
  readonly maxProcesses?: number;
  /**
   * Bytes of one file.
   * @defaultValue 4_294_967_296
   */
  readonly maxFileBytes?: number;
  /**
   * Whether the files blocks were written to are removed once the last block has run.
   * @defaultValue false
   */
  readonly cleanupTempFiles?: boolean;
}

/** Those options, with what was left out filled in. */
export type ContainerOptions = Required<
  Pick<
    DockerCommandLineCodeExecutorOptions,
    'image' | 'network' | 'maxMemoryBytes' | 'maxProcesses' | 'maxFileBytes'
  >
>;
