import type { Framework } from './framework.ts';

export const AI_SDK: Framework = {
  name: 'AI SDK',
  package: 'ai',
  versions: [6, 7],
  adapter: '@teamfuse/adapter-ai-sdk',
  line: 'const guard = guardAgent(agent, breaker);',
  page: 'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks/ai-sdk.md',
};
