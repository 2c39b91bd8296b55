export type { CodeBlock, CodeExecutor, CodeResult } from './code-executor.ts';
