import type { ExecutorCodeConfig } from './code-reply.ts';

/** How an agent runs the code it is sent; `false` switches it off. */
export type CodeExecutionConfig = ExecutorCodeConfig | false;
