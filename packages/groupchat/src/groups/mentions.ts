import type { Agent } from '../messages/agent.ts';

/**
 * Counts how often a text names each agent; agents it does not name are omitted.
 *
 * A name with underscores may also be written with spaces or with escaped underscores.
 */
export function mentionedAgents(
  text: string,
  agents: readonly Agent[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of agents) {
    const forms = [name, name.replaceAll('_', ' '), name.replaceAll('_', '\\_')].map(escaped);
    const pattern = new RegExp(
      `(?<=[^\\p{L}\\p{N}_])(?:${forms.join('|')})(?=[^\\p{L}\\p{N}_])`,
      'gu',
    );
    const count = ` ${text} `.match(pattern)?.length ?? 0;
    if (count > 0) counts.set(name, count);
  }
  return counts;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
