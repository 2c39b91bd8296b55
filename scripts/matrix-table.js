/** Node versions: the oldest that Teamfuse runs on, and lines with long-term support. */
const NODE_20 = '20.19.0';
const NODE_22 = '22.23.3';
const NODE_24 = '24.21.0';

/**
 * The frameworks of each adapter, by their names among its dev dependencies, which pin the newest versions. `oldest` is where a range of its
 * peers begins, or from where on the framework has what its tests use; it runs on the first of `nodes`, the newest on each. `tests` are those of this framework, where an adapter has several.
 */
export const FRAMEWORKS = [
  {
    adapter: 'ai-sdk',
    oldest: { 'ai-6': '6.0.260' },
    nodes: [NODE_20, NODE_24],
    tests: 'with ai 6',
  },
  {
    adapter: 'ai-sdk',
    oldest: { ai: '7.0.0' },
    nodes: [NODE_22, NODE_24],
    tests: '^(?!.*with ai 6)',
  },
  {
    adapter: 'langchain',
    oldest: { langchain: '1.5.14', '@langchain/langgraph': '1.7.0', '@langchain/core': '1.3.4' },
    nodes: [NODE_20, NODE_24],
  },
  {
    adapter: 'mastra',
    oldest: { '@mastra/core': '1.57.0' },
    nodes: [NODE_22, NODE_24],
  },
  {
    adapter: 'openai-agents',
    oldest: { 'agents-core-old': '0.5.0' },
    nodes: [NODE_20, NODE_24],
    tests: 'with @openai/agents 0\\.5,',
  },
  {
    adapter: 'openai-agents',
    oldest: { '@openai/agents-core': '0.17.0' },
    nodes: [NODE_20, NODE_24],
    tests: '^(?!.*with @openai/agents 0\\.5,)',
  },
  {
    adapter: 'mcp',
    oldest: { '@modelcontextprotocol/sdk': '1.32.0' },
    nodes: [NODE_20, NODE_24],
    tests: '^(?!.*the client of version 2)',
  },
  {
    adapter: 'mcp',
    oldest: { '@modelcontextprotocol/client': '2.0.0' },
    nodes: [NODE_20, NODE_24],
    tests: 'the client of version 2',
  },
];
