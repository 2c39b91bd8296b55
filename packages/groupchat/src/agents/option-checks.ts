import { invalidOption } from '../errors.ts';
import { checkToolName } from '../tools/tool.ts';
import type { AgentOptions } from './agent-options.ts';

/** Rejects invalid options of an agent. */
export function checkAgentOptions(options: AgentOptions): void {
  const { humanInputMode = 'NEVER', maxConsecutiveAutoReply = 0, functionMap = {} } = options;
  if (!['ALWAYS', 'TERMINATE', 'NEVER'].includes(humanInputMode)) {
    throw invalidOption('humanInputMode', "'ALWAYS', 'TERMINATE' or 'NEVER'", humanInputMode);
  }
  if (!(maxConsecutiveAutoReply >= 0)) {
    throw invalidOption('maxConsecutiveAutoReply', 'a number from 0 up', maxConsecutiveAutoReply);
  }
  for (const name of Object.keys(functionMap)) checkToolName(name);
}
