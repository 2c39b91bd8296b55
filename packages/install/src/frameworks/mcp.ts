import { guardClient, isClient } from '@teamfuse/adapter-mcp';
import type { Framework } from './framework.ts';

/** Clients of the Model Context Protocol. */
export const MCP: Framework = {
  recognised: 'an MCP client',
  recognise(target) {
    if (!isClient(target)) return undefined;
    const name = target.getServerVersion()?.name ?? 'MCP client';
    return {
      kind: 'client',
      name,
      members: ['callTool', 'readResource', 'getPrompt'],
      install(breaker, options) {
        const guard = guardClient(target, breaker, options);
        return { guard, uninstall: guard.uninstall };
      },
    };
  },
};
