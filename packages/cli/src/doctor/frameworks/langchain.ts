import type { Framework } from './framework.ts';

const ADAPTER: Omit<Framework, 'name' | 'package' | 'line'> = {
  versions: [1],
  adapter: '@teamfuse/adapter-langchain',
  page: 'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks/langchain.md',
};

export const LANGCHAIN: Framework = {
  name: 'LangChain',
  package: 'langchain',
  line: 'const guard = guardGraph(agent, breaker);',
  ...ADAPTER,
};

export const LANGGRAPH: Framework = {
  name: 'LangGraph',
  package: '@langchain/langgraph',
  line: 'const guard = guardGraph(graph, breaker);',
  ...ADAPTER,
};
