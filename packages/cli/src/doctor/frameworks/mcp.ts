import type { Framework } from './framework.ts';

const MCP = {
  adapter: '@teamfuse/adapter-mcp',
  line: 'const guard = guardClient(client, breaker);',
  page: 'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks/mcp.md',
};

export const MCP_SDK: Framework = {
  name: 'MCP',
  package: '@modelcontextprotocol/sdk',
  versions: [1],
  ...MCP,
};

export const MCP_CLIENT: Framework = {
  name: 'MCP client',
  package: '@modelcontextprotocol/client',
  versions: [2],
  ...MCP,
};
