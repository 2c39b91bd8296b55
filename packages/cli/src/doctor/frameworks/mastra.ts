import type { Framework } from './framework.ts';

export const MASTRA: Framework = {
  name: 'Mastra',
  package: '@mastra/core',
  versions: [1],
  adapter: '@teamfuse/adapter-mastra',
  line: 'const guard = guardAgent(agent, breaker);',
  page: 'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks/mastra.md',
};
