import { guardGraph, isAgent, isGraph, modelOfGraph, nameOf } from '@teamfuse/adapter-langchain';
import type { Framework } from './framework.ts';

/** Agents of LangChain and graphs of LangGraph. */
export const LANGCHAIN: Framework = {
  recognised: 'an agent of LangChain, a compiled graph of LangGraph',
  recognise(target) {
    if (!isAgent(target) && !isGraph(target)) return undefined;
    const name = nameOf(target);
    return {
      kind: 'agent',
      name,
      members: [name],
      model: modelOfGraph(target),
      install(breaker, options) {
        const guard = guardGraph(target, breaker, options);
        return { guard, uninstall: guard.uninstall };
      },
    };
  },
};
