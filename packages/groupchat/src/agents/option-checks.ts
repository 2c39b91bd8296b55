import { GroupChatError } from '../errors.ts';
import { checkToolName } from '../tools/tool.ts';
import type { ConversableAgentOptions } from './agent-options.ts';

/** Rejects options of an agent that cannot be meant. */
export function checkAgentOptions(options: ConversableAgentOptions): void {
  const { humanInputMode = 'NEVER', maxConsecutiveAutoReply = 0, functionMap = {} } = options;
  if (!['ALWAYS', 'TERMINATE', 'NEVER'].includes(humanInputMode)) {
    throw invalid('humanInputMode', "'ALWAYS', 'TERMINATE' or 'NEVER'", humanInputMode);
  }
  if (!(maxConsecutiveAutoReply >= 0)) {
    throw invalid('maxConsecutiveAutoReply', 'a number from 0 up', maxConsecutiveAutoReply);
  }
  for (const name of Object.keys(functionMap)) checkToolName(name);
}

/** Gives the number of turns a chat has, `null` for no end; rejects what is no number of turns. */
export function checkMaxTurns(maxTurns: number | null | undefined): number | null {
  if (maxTurns === null || maxTurns === undefined) return null;
  if (maxTurns === Number.POSITIVE_INFINITY) return null;
  if (Number.isInteger(maxTurns) && maxTurns >= 0) return maxTurns;
  throw invalid('maxTurns', 'an integer from 0 up, or null for no end', maxTurns);
}

/** Gives the number of rounds a run has; rejects what is none. */
export function checkMaxRound(maxRound: number): number {
  if (maxRound >= 0) return maxRound;
  throw invalid('maxRound', 'a number from 0 up', maxRound);
}

function invalid(option: string, expected: string, received: unknown): GroupChatError {
  return new GroupChatError(
    'INVALID_VALUE',
    `option '${option}': expected ${expected}, received ${String(received)}`,
  );
}
