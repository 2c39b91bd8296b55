import { Breaker, guard } from '@teamfuse/core';
import type { InitiateChatOptions } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../src/index.ts';
import { speaker, thinker } from './support/agents.ts';

const TURNS = 20;

interface Way {
  readonly isGuarded?: boolean;
  readonly options?: () => Partial<InitiateChatOptions>;
}

const WAYS: Readonly<Record<string, Way>> = {
  'whose agents are not guarded': {},
  'of guarded agents': { isGuarded: true },
  'that may be cancelled': { options: () => ({ signal: new AbortController().signal }) },
  'with a time-out': { isGuarded: true, options: () => ({ timeoutMs: 60_000 }) },
};

/** A chat whose model asks for a guarded tool each time. */
async function chatOf({ isGuarded = false, options }: Way, queryOf: (at: number) => string) {
  let calls = 0;
  const search = guard(
    async (_query: unknown) => {
      calls++;
      return 'nothing found';
    },
    { name: 'search' },
  );
  const asks = Array.from({ length: TURNS }, (_, at) => ({
    content: [{ id: `${at}`, name: 'search', arguments: `{"query": "${queryOf(at)}"}` }],
  }));
  const { agent: caller, client } = thinker('caller', asks);
  const executor = speaker('executor', 'Go on.', { functionMap: { search } });
  if (isGuarded) {
    const off = { repetition: false, executionStorm: false, rate: false } as const;
    guardAgents([caller, executor], new Breaker(off));
  }
  const { stopKind, stopReason } = await executor.initiateChat(caller, {
    message: 'Search!',
    maxTurns: TURNS,
    ...options?.(),
  });
  return { stopKind, stopReason, calls, asked: client.calls.length };
}

describe.each(Object.entries(WAYS))('a chat %s', (_name, way) => {
  test('[GCS25] ends where a tool under `guard()` is refused, which runs twice for the same', async () => {
    const { stopReason, ...end } = await chatOf(way, () => 'rust');
    expect(end).toEqual({ stopKind: 'refused', calls: 2, asked: 3 });
    expect(stopReason).toContain('search');
  });

  test('[GCS25] goes on where such a tool is asked for something else each time', async () => {
    const { calls } = await chatOf(way, (at) => `rust ${at}`);
    expect(calls).toBe(TURNS - 1);
  });
});
