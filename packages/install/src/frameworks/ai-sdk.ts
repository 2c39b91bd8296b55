import {
  type CallOptions,
  type GuardableTools,
  guardAgent,
  guardModel,
  guardTools,
  isAgent,
  isModel,
  isToolSet,
  modelOfAgents,
  nameOf,
  unguardCalls,
} from '@teamfuse/adapter-ai-sdk';
import type { GuardOptions } from '@teamfuse/adapter-kit';
import type { Breaker } from '@teamfuse/core';
import type { Framework, FrameworkGuard } from './framework.ts';

/** Agents, models and tools of the AI SDK. */
export const AI_SDK: Framework = {
  recognised: 'an agent, a language model or a tool set of the AI SDK',
  recognise(target) {
    if (isAgent(target)) {
      const name = nameOf(target);
      const model = modelOfAgents([target]);
      return {
        kind: 'agent',
        name,
        members: [name],
        model,
        install(breaker, options) {
          const guard = guardAgent(target, breaker, options);
          return { guard, uninstall: guard.uninstall };
        },
      };
    }
    if (isModel(target)) {
      const { modelId: name } = target;
      const model = { agent: 'agent', client: target };
      const install = (breaker: Breaker, options: GuardOptions): FrameworkGuard =>
        inPlaceOf(guardModel(target, breaker, conversationOf(options)), breaker);
      return { kind: 'model', name, members: [name], model, install };
    }
    if (isToolSet(target)) return toolSet(target);
    return undefined;
  },
};

function toolSet(tools: GuardableTools): ReturnType<Framework['recognise']> {
  const members = Object.keys(tools).filter((name) => tools[name]?.execute !== undefined);
  const install = (breaker: Breaker, options: GuardOptions): FrameworkGuard =>
    inPlaceOf(guardTools(tools, breaker, conversationOf(options)), breaker);
  return { kind: 'tools', name: '', members, install };
}

function conversationOf({ conversation }: GuardOptions): CallOptions {
  return conversation === undefined ? {} : { conversation };
}

function inPlaceOf(guarded: object, breaker: Breaker): FrameworkGuard {
  return { guarded, uninstall: () => unguardCalls(breaker) };
}
