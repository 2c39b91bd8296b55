import { knownOptions } from '../option-names.ts';
import { type ExecutorCodeConfig, executorCodeNames, executorCodeReply } from './code-reply.ts';
import {
  type LegacyCodeConfig,
  legacyCodeAdvice,
  legacyCodeNames,
  legacyCodeReply,
} from './legacy-code-reply.ts';
import type { BuiltInReply } from './replier.ts';

/** How an agent runs the code it is sent: with an executor, block by block, or (`false`) not at all. */
export type CodeExecutionConfig = ExecutorCodeConfig | LegacyCodeConfig | false;

/** The reply function that runs code; none when it is switched off. */
export function codeExecutionReply(config: CodeExecutionConfig): BuiltInReply | null {
  if (config === false) return null;
  const what = 'codeExecutionConfig';
  if (typeof config === 'object' && config !== null && 'executor' in config) {
    return executorCodeReply(knownOptions(what, config, executorCodeNames));
  }
  return legacyCodeReply(knownOptions(what, config, legacyCodeNames, legacyCodeAdvice));
}
