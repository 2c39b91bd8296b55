import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, it } from 'vitest';
import { guardClient } from '../src/index.ts';
import { pair } from './support/servers.ts';

const HOST = 'agents, models and their turns are those of the host: MCP has no notion of them';

const { client } = await pair();

describe('the contract of adapters', () => {
  const rules = adapterContract({
    lacks: {
      speaker: HOST,
      model: HOST,
      modelless: HOST,
      nested: HOST,
      nudge: HOST,
      sharing: HOST,
      tool: 'a call is made by the host, and no model asks for it',
      code: 'code is run by a tool',
      'before-code': 'code is run by a tool',
      person: 'people are asked by the host',
      cancel: 'a run is that of the host',
    },
    build: () => ({
      parts: [client],
      guard: (breaker, options) => guardClient(client, breaker, options),
      run: async () => ({ texts: [], stopReason: undefined }),
      breakTap: () => 'callTool',
    }),
  });
  for (const { id, title, missing, reason, check } of rules) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
