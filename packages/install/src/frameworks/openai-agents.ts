import { guardRunner, isRunner, modelOfRunner } from '@teamfuse/adapter-openai-agents';
import type { Framework } from './framework.ts';

/** Runners of the OpenAI Agents SDK. Agents cannot be guarded by themselves: whoever runs them says how. */
export const OPENAI_AGENTS: Framework = {
  recognised: 'a Runner of the OpenAI Agents SDK',
  recognise(target) {
    if (!isRunner(target)) return undefined;
    return {
      kind: 'runner',
      name: '',
      members: [],
      model: modelOfRunner(target),
      install(breaker, options) {
        const guard = guardRunner(target, breaker, options);
        return { guard, uninstall: guard.uninstall };
      },
    };
  },
};
