import { describe, expect, it } from 'vitest';
import { attempts } from '../../src/guard/attempts.ts';

/** Keeps for each call what it was given besides its options, and whether those say that it is cancelled. */
function recorder() {
  const calls: unknown[] = [];
  const take = (...given: unknown[]): void => {
    const { signal } = given.at(-1) as { signal: AbortSignal };
    calls.push([...given.slice(0, -1), signal.aborted]);
  };
  const call = async (...given: unknown[]): Promise<void> => take(...given);
  async function* stream(...given: unknown[]): AsyncGenerator<string> {
    take(...given);
    yield 'read to its end';
    calls.push('end');
  }
  return { calls, call, stream };
}

describe('what a self-test tries after a trip', () => {
  it('[SELF2] reaches a model both ways, and has cancelled both', async () => {
    const { calls, call: create, stream: createStream } = recorder();
    for (const attempt of attempts({}, 'modelClient', { create, createStream })) await attempt();
    expect(calls).toEqual([[[], true], [[], true], 'end']);
  });

  it('[SELF2] reaches each of several workbenches, cancelled', async () => {
    const { calls, call: callTool } = recorder();
    const workbench = { listTools: callTool, callTool };
    for (const attempt of attempts({}, 'workbench', [workbench, workbench])) await attempt();
    const reached = ['self-test', {}, true];
    expect(calls).toEqual([reached, reached]);
  });

  it('[SELF2] reaches an executor with no code, cancelled', async () => {
    const { calls, call: executeCodeBlocks } = recorder();
    for (const attempt of attempts({}, 'codeExecutor', { executeCodeBlocks })) await attempt();
    expect(calls).toEqual([[[], true]]);
  });

  it.each([
    ['onMessages', [[], true]],
    ['onMessagesStream', [[], true]],
    ['run', [true]],
    ['runStream', [true]],
  ])('[SELF2] begins %s with nothing to do, cancelled', async (member, reached) => {
    const { calls, call, stream } = recorder();
    const isStream = member.endsWith('Stream');
    const agent = { [member]: isStream ? stream : call };
    for (const attempt of attempts(agent, member, agent[member])) await attempt();
    expect(calls).toEqual(isStream ? [reached, 'end'] : [reached]);
  });

  it('[SELF2] asks no person', () => {
    expect(attempts({}, 'inputFunc', () => 'yes')).toEqual([]);
  });
});
