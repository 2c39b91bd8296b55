export type { CodeBlock, CodeExecutor, CodeResult } from './code-executor.ts';
export { CodeExecutorError, type CodeExecutorErrorCode } from './errors.ts';
export {
  LocalCommandLineCodeExecutor,
  type LocalCommandLineCodeExecutorOptions,
} from './local-command-line-code-executor.ts';
