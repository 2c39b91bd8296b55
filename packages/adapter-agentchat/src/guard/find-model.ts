import type { TeamModel } from '@teamfuse/adapter-kit';
import { isAgent, isGroup, isModelClient } from '../taps/shapes.ts';
import { membersOf } from './members.ts';

/**
 * The model that a judge of a team may ask: that of the team itself, or of the first participant that has one, inner teams
 * and agents included. To be called before the team is tapped.
 */
export function findModel(team: object): TeamModel | undefined {
  const seen = new Set<object>();
  const find = (part: object): TeamModel | undefined => {
    if (seen.has(part)) return undefined;
    seen.add(part);
    const members = membersOf(part).flatMap(([member, value]) =>
      [value].flat().map((one: unknown) => [member, one] as const),
    );
    const values = members.map(([, value]) => value);
    const client = members.find(([member, value]) => isModelClient(value, member))?.[1];
    if (client !== undefined) {
      return { client: client as TeamModel['client'], agent: callerOf(part) };
    }
    const participants: readonly unknown[] = isGroup(part) ? part.participants : [];
    for (const inner of [...values, ...participants]) {
      const found = isAgent(inner) || isGroup(inner) ? find(inner) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(team);
}

/** The agent that calls a part's model: for a team, its manager. */
export function callerOf(part: object): string {
  const { managerName, name } = part as { managerName?: unknown; name?: unknown };
  return typeof managerName === 'string' ? managerName : String(name);
}
