import type { AgentView } from './agent-view.ts';

/** The members of the group an agent runs; `undefined` when it runs none. */
export function groupOf(agent: object): readonly object[] | undefined {
  const { groupchat, replyFuncList = [] } = agent as Partial<AgentView>;
  if (isGroup(groupchat)) return groupchat.agents;
  for (const { config } of replyFuncList) if (isGroup(config)) return config.agents;
  return undefined;
}

function isGroup(value: unknown): value is { readonly agents: readonly object[] } {
  const group = value as { readonly agents?: unknown; readonly messages?: unknown } | null;
  return Array.isArray(group?.agents) && Array.isArray(group?.messages);
}
