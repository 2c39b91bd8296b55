import type { TeamModel } from '@teamfuse/adapter-kit';
import { nameOf, viewOf } from '../context/agent-view.ts';
import { groupOf } from '../context/group-of.ts';
import { ownPrices } from '../observe/own-prices.ts';

/** The model that a judge of agents may ask: that of a manager, or else of the first agent that has one. */
export function findModel(agents: readonly object[]): TeamModel | undefined {
  const managers = agents.filter((agent) => groupOf(agent) !== undefined);
  for (const agent of [...managers, ...agents]) {
    const view = viewOf(agent).client ?? undefined;
    const client: unknown = view?.config?.client;
    if (isClient(client)) return { client, agent: nameOf(agent), prices: view && ownPrices(view) };
  }
  return undefined;
}

function isClient(value: unknown): value is TeamModel['client'] {
  return typeof (value as { readonly create?: unknown } | null | undefined)?.create === 'function';
}
