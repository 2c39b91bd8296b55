import type { Framework } from './framework.ts';

export const OPENAI_AGENTS: Framework = {
  name: 'OpenAI Agents SDK',
  package: '@openai/agents',
  versions: [0],
  adapter: '@teamfuse/adapter-openai-agents',
  line: 'const guard = guardRunner(runner, breaker);',
  page: 'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks/openai-agents.md',
};
