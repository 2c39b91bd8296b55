import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { Agent } from '../messages/agent.ts';
import type { Reply } from '../messages/message.ts';
import type { GroupChat } from './group-chat.ts';

/** A parsed CLEAR HISTORY phrase, and the message without it. */
interface Command {
  readonly target: Agent | null;
  readonly keep: number | null;
  readonly rest: string;
}

/**
 * Executes a CLEAR HISTORY phrase in a message object.
 *
 * `clear history`, `clear history 2`, `clear history Bob`, `clear history Bob 2`: clears the
 * history of all agents or of one, except for the given number of last messages. The phrase is removed
 * from the message.
 */
export function clearAgentsHistory(
  reply: NonNullable<Reply>,
  groupchat: GroupChat,
  manager: ConversableAgent,
): NonNullable<Reply> {
  if (typeof reply === 'string' || typeof reply.content !== 'string') return reply;
  const command = readCommand(reply.content, groupchat.agents);
  if (!command) return reply;
  const keep = command.keep || ('tool_responses' in reply ? 1 : null);
  carryOut({ ...command, keep }, groupchat, manager);
  reply.content = command.rest;
  return reply;
}

function readCommand(text: string, agents: readonly Agent[]): Command | null {
  if (!text.toUpperCase().includes('CLEAR HISTORY')) return null;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const at = words.findLastIndex((word) => word.toUpperCase() === 'CLEAR');
  if (at < 0) return null;
  let keep: number | null = null;
  let target: Agent | null = null;
  for (const word of words.slice(at + 2, at + 4)) {
    const digits = /^(\d+).?$/u.exec(word)?.[1];
    if (digits !== undefined) keep = Number(digits);
    else target = agents.find(({ name }) => name === word || name === word.slice(0, -1)) ?? target;
  }
  const length = 2 + (target ? 1 : 0) + (keep === null ? 0 : 1);
  const rest = [...words.slice(0, at), ...words.slice(at + length)].join(' ');
  return { target, keep, rest };
}

function carryOut(
  { target, keep }: Command,
  groupchat: GroupChat,
  manager: ConversableAgent,
): void {
  const whose = target ? target.name : 'all agents';
  const except = keep ? ` except last ${keep} messages` : '';
  manager.io.print(`Clearing history for ${whose}${except}.`);
  if (!target) {
    const { messages } = groupchat;
    messages.splice(0, keep ? Math.max(0, messages.length - keep) : messages.length);
  }
  for (const agent of target ? [target] : groupchat.agents) clear(agent, keep);
}

function clear(agent: Agent, keep: number | null): void {
  if ('clearHistory' in agent && typeof agent.clearHistory === 'function') {
    agent.clearHistory(null, keep);
  }
}
