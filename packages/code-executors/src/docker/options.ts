import type { CommandLineOptions } from '../command-line-code-executor.ts';

/** Options of {@link DockerCommandLineCodeExecutor}. */
export interface DockerCommandLineCodeExecutorOptions extends CommandLineOptions {
  /**
   * The image blocks run in; it is pulled when it is missing. It has to contain the interpreters.
   * @defaultValue 'python:3-slim'
   */
  readonly image?: string;
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
}

/** Those options, with what was left out filled in. */
export type ContainerOptions = Required<
  Pick<
    DockerCommandLineCodeExecutorOptions,
    'image' | 'network' | 'maxMemoryBytes' | 'maxProcesses' | 'maxFileBytes'
  >
>;
