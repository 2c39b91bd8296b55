import { invalidOption } from '../errors.ts';
import { knownOptions } from '../option-names.ts';
import { checkToolName } from '../tools/tool.ts';
import { type AgentOptions, agentOptionAdvice, agentOptionNames } from './agent-options.ts';

/** Returns the options of an agent; rejects unknown and invalid ones. */
export function checkAgentOptions<T extends AgentOptions>(options: T): T {
  const names = { ...agentOptionNames, taps: true } as const;
  knownOptions('agent', options, names, agentOptionAdvice);
  const { humanInputMode = 'NEVER', maxConsecutiveAutoReply = 0, functionMap = {} } = options;
  if (!['ALWAYS', 'TERMINATE', 'NEVER'].includes(humanInputMode)) {
    throw invalidOption('humanInputMode', "'ALWAYS', 'TERMINATE' or 'NEVER'", humanInputMode);
  }
  if (!(maxConsecutiveAutoReply >= 0)) {
    throw invalidOption('maxConsecutiveAutoReply', 'a number from 0 up', maxConsecutiveAutoReply);
  }
  for (const name of Object.keys(functionMap)) checkToolName(name);
  return options;
}
