import { CancelledError, StaticWorkbench } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { tool } from '../agents/scripts.ts';

describe('StaticWorkbench', () => {
  it('[TOOL30] offers its tools and calls them by name', async () => {
    const bench = new StaticWorkbench([tool('f', () => 1), tool('g', () => 2)]);
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(['f', 'g']);
    expect(await bench.callTool('g', {})).toEqual({ name: 'g', content: '2', isError: false });
  });

  it('[TOOL31] gives what a tool throws as a result, trimmed', async () => {
    const bench = new StaticWorkbench([
      tool('f', () => {
        throw new Error('  no network\n');
      }),
      tool('g', () => Promise.reject('a text')),
    ]);
    expect(await bench.callTool('f', {})).toEqual({
      name: 'f',
      content: 'no network',
      isError: true,
    });
    expect(await bench.callTool('g', {})).toEqual({ name: 'g', content: 'a text', isError: true });
  });

  it('[TOOL32] gives an error result for a tool it does not have', async () => {
    expect(await new StaticWorkbench([]).callTool('f', {})).toEqual({
      name: 'f',
      content: 'Tool f not found.',
      isError: true,
    });
  });

  it('[TOOL33] takes what a tool throws after a cancellation for the cancellation', async () => {
    const controller = new AbortController();
    const bench = new StaticWorkbench([
      tool('f', () => {
        controller.abort();
        throw new Error('AbortError');
      }),
    ]);
    await expect(bench.callTool('f', {}, { signal: controller.signal })).rejects.toThrow(
      CancelledError,
    );
  });

  it('[TOOL34] passes the id of the call and the signal on to the tool', async () => {
    const { signal } = new AbortController();
    const bench = new StaticWorkbench([
      tool('f', (_, options) => options.signal === signal && options.callId === 'c1'),
    ]);
    expect((await bench.callTool('f', {}, { signal, callId: 'c1' })).content).toBe('true');
  });
});
