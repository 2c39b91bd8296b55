import { guardAgent, isAgent, modelOfAgents } from '@teamfuse/adapter-mastra';
import type { Framework } from './framework.ts';

/** Agents of Mastra. */
export const MASTRA: Framework = {
  recognised: 'an agent of Mastra',
  recognise(target) {
    if (!isAgent(target)) return undefined;
    const { name } = target;
    return {
      kind: 'agent',
      name,
      members: [name],
      model: modelOfAgents([target]),
      install(breaker, options) {
        const guard = guardAgent(target, breaker, options);
        return { guard, uninstall: guard.uninstall };
      },
    };
  },
};
