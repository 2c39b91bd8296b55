import { randomUUID } from 'node:crypto';
import type { StoredProgram } from '../block-sequence.ts';
import { checkOptions, refuse } from '../check-options.ts';
import type { CodeBlock, CodeResult } from '../code-executor.ts';
import { CommandLineCodeExecutor } from '../command-line-code-executor.ts';
import { integer } from '../integer.ts';
import { runProgram } from '../program/program.ts';
import { resultOf } from '../program/result.ts';
import { containerEnclosure, prepareDocker } from './docker.ts';
import { dockerRun } from './docker-run.ts';
import type { ContainerOptions, DockerCommandLineCodeExecutorOptions } from './options.ts';

const DOCKER = ['image', 'network', 'maxMemoryBytes', 'maxProcesses', 'maxFileBytes'];

/**
 * Runs each code block in its own Docker container, through the Docker client, and never on this machine.
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
export class DockerCommandLineCodeExecutor extends CommandLineCodeExecutor {
  readonly #container: ContainerOptions;
  #docker: string | undefined;

  constructor(options: DockerCommandLineCodeExecutorOptions = {}) {
    checkOptions(options, DOCKER);
    super(options);
    this.#container = {
      image: word('image', options.image ?? 'python:3-slim'),
      network: word('network', options.network ?? 'none'),
      maxMemoryBytes: integer('maxMemoryBytes', options.maxMemoryBytes ?? 2_147_483_648),
      maxProcesses: integer('maxProcesses', options.maxProcesses ?? 256),
      maxFileBytes: integer('maxFileBytes', options.maxFileBytes ?? 4_294_967_296),
    };
  }

  protected async runAll(blocks: readonly CodeBlock[], signal: AbortSignal): Promise<CodeResult> {
    this.#docker ??= await prepareDocker(this.#container.image, signal);
    const docker = this.#docker;
    if (docker === undefined) return { exitCode: 125, output: '\nCancelled' };
    return this.inOrder(blocks, signal, (program, { work }) =>
      this.#run(docker, program, work, signal),
    );
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
  return refuse(option, 'a name', value);
}
