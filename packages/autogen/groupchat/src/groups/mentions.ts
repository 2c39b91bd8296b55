import { countMentions } from '@teamfuse/python-compat';
import type { Agent } from '../messages/agent.ts';

/** Counts how often a text names each agent; agents it does not name are omitted. */
export function mentionedAgents(
  text: string,
  agents: readonly Agent[],
): ReadonlyMap<string, number> {
  return new Map(
    agents
      .map(({ name }): [string, number] => [name, countMentions(text, name)])
      .filter(([, count]) => count > 0),
  );
}
