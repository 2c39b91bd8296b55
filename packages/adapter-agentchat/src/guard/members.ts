import type { ChatAgent, Team, Workbench } from '@teamfuse/agentchat';
import { isAgent, isGroup } from '../taps/shapes.ts';

/** Members that may be accessors of a class, in addition to an object's own members. */
const KNOWN = ['modelClient', 'workbench', 'codeExecutor', 'team', 'wrappedAgent'] as const;

/** The public members of an object that may hold something to tap. */
export function membersOf(target: object): readonly (readonly [string, unknown])[] {
  const own = Object.entries(Object.getOwnPropertyDescriptors(target))
    .filter(([, descriptor]) => descriptor.enumerable === true && 'value' in descriptor)
    .map(([member]) => member);
  const names = new Set([...own, ...KNOWN]);
  return [...names].map((member) => [member, (target as Record<string, unknown>)[member]]);
}

/** The names under which an agent offers its model to hand off. */
export function handoffNames(agent: object): readonly string[] {
  const { handoffs } = agent as { handoffs?: unknown };
  if (!Array.isArray(handoffs)) return [];
  return handoffs
    .map((handoff: unknown) => (Object(handoff) as { name?: unknown }).name)
    .filter((name) => typeof name === 'string');
}

/** The agents and teams that the tools of a workbench put to work. */
export function runnersOf(workbench: Workbench): readonly (ChatAgent | Team)[] {
  const { tools } = workbench as { tools?: unknown };
  if (!Array.isArray(tools)) return [];
  return tools
    .flatMap((tool: unknown) => Object.values(Object(tool)))
    .filter((value: unknown) => isAgent(value) || isGroup(value));
}

/** Whether a warning among the messages of an agent would reach a model. */
export function heedsNudges(agent: ChatAgent): boolean {
  return !('inputFunc' in agent) && !('codeExecutor' in agent);
}
