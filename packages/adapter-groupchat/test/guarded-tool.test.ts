import { guard } from '@teamfuse/core';
import { expect, test } from 'vitest';
import { speaker, thinker } from './support/agents.ts';

test('[GCS25] a tool under `guard()` that is refused ends the chat, also without a guard on its agents', async () => {
  let calls = 0;
  const search = guard(
    async (_query: unknown) => {
      calls++;
      return 'nothing found';
    },
    { name: 'search' },
  );
  const asks = { content: [{ id: '1', name: 'search', arguments: '{"query": "rust"}' }] };
  const { agent: caller, client } = thinker(
    'caller',
    Array.from({ length: 20 }, () => asks),
  );
  const functionMap = { search: (args: unknown) => search(args) };
  const executor = speaker('executor', 'Go on.', { functionMap });
  const { stopKind, stopReason } = await executor.initiateChat(caller, {
    message: 'Search!',
    maxTurns: 20,
  });
  expect({ stopKind, calls, asked: client.calls.length }).toEqual({
    stopKind: 'refused',
    calls: 2,
    asked: 3,
  });
  expect(stopReason).toContain('search');
});
