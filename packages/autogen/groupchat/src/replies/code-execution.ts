import { invalidOption, invalidValue } from '../errors.ts';
import { knownOptions } from '../option-names.ts';
import { type ExecutorCodeConfig, executorCodeNames, executorCodeReply } from './code-reply.ts';
import {
  type LegacyCodeConfig,
  legacyCodeAdvice,
  legacyCodeNames,
  legacyCodeReply,
} from './legacy-code-reply.ts';
import type { ReplyFunction } from './reply-function.ts';

/** How an agent runs the code it is sent: with an executor, block by block, or (`false`) not at all. */
export type CodeExecutionConfig = ExecutorCodeConfig | LegacyCodeConfig | false;

/** The reply function that runs code; none when it is switched off. */
export function codeExecutionReply(config: CodeExecutionConfig): ReplyFunction | null {
  if (config === false) return null;
  const what = 'codeExecutionConfig';
  if (typeof config === 'object' && config !== null) checkDocker(config);
  if (typeof config === 'object' && config !== null && 'executor' in config) {
    return executorCodeReply(knownOptions(what, config, executorCodeNames));
  }
  return legacyCodeReply(knownOptions(what, config, legacyCodeNames, legacyCodeAdvice));
}

/** Nothing that asks for Docker may run on this machine without a word. */
function checkDocker(config: object): void {
  if ('use_docker' in config) {
    throw invalidOption('use_docker', "nothing: it is called 'useDocker' here", config.use_docker);
  }
  if (!('useDocker' in config)) return;
  const { useDocker } = config;
  const isWord = typeof useDocker === 'string' && useDocker !== '';
  if (typeof useDocker !== 'boolean' && useDocker !== undefined && !isWord) {
    throw invalidOption('useDocker', 'true, false or the name of an image', useDocker);
  }
  if (!useDocker) return;
  if ('executor' in config) {
    throw invalidValue(
      "'useDocker' in codeExecutionConfig is not valid when 'executor' is set: give a DockerCommandLineCodeExecutor instead",
    );
  }
  if ('runCode' in config && config.runCode !== undefined) {
    throw invalidValue(
      "'useDocker' in codeExecutionConfig is not valid when 'runCode' is set, which decides where code runs",
    );
  }
}
