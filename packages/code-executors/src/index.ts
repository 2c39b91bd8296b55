export type { CodeBlock, CodeExecutor, CodeResult } from './code-executor.ts';
export type { CommandLineOptions } from './command-line-code-executor.ts';
export { DockerCommandLineCodeExecutor } from './docker/docker-command-line-code-executor.ts';
export type { DockerCommandLineCodeExecutorOptions } from './docker/options.ts';
export { CodeExecutorError, type CodeExecutorErrorCode } from './errors.ts';
export type { EnvironmentChoice } from './local/environment.ts';
export { LocalCommandLineCodeExecutor } from './local/local-command-line-code-executor.ts';
export type { LocalCommandLineCodeExecutorOptions } from './local/options.ts';
