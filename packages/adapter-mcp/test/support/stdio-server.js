import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'clock', version: '1.0.0' });
server.registerTool('still', {}, () => ({ content: [{ type: 'text', text: 'noon' }] }));
await server.connect(new StdioServerTransport());
