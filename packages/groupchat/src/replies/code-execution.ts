import { type ExecutorCodeConfig, executorCodeReply } from './code-reply.ts';
import { type LegacyCodeConfig, legacyCodeReply } from './legacy-code-reply.ts';
import type { BuiltInReply } from './replier.ts';

/** How an agent runs the code it is sent: with an executor, block by block, or (`false`) not at all. */
export type CodeExecutionConfig = ExecutorCodeConfig | LegacyCodeConfig | false;

/** The reply function that runs code; none when it is switched off. */
export function codeExecutionReply(config: CodeExecutionConfig): BuiltInReply | null {
  if (config === false) return null;
  return 'executor' in config ? executorCodeReply(config) : legacyCodeReply(config);
}
