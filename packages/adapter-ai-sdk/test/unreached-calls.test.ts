import { Breaker, type Signal } from '@teamfuse/core';
import { isStepCount, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guardAgent } from '../src/index.ts';

const STEPS = 30;
const NONE = { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0, text: 9, reasoning: 0 };

interface Asked {
  readonly toolName: string;
  readonly input: string;
}

/** Lets a model ask for calls, all of which may be denied. How often it is asked, and what is told of the calls. */
async function run(callOf: (step: number) => Asked, isDenied = false) {
  let asked = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      const call = { type: 'tool-call' as const, toolCallId: `c${asked}`, ...callOf(asked++) };
      const finishReason = { unified: 'tool-calls' as const, raw: undefined };
      const usage = { inputTokens: NONE, outputTokens: NONE };
      return { content: [call], finishReason, usage, warnings: [] };
    },
  });
  const inputSchema = z.object({ at: z.string() });
  const look = tool({ inputSchema, execute: async ({ at }) => `${at} is blue` });
  const agent = new ToolLoopAgent({
    id: 'watcher',
    model,
    tools: { look },
    stopWhen: isStepCount(STEPS),
    ...(isDenied && { toolApproval: { look: () => 'denied' as const } }),
  });
  const breaker = new Breaker();
  const calls: Signal[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'tool-call') calls.push(signal);
  });
  const guard = guardAgent(agent, breaker, { judge: false });
  await agent.generate({ prompt: 'Look.' });
  guard.uninstall();
  return { asked, calls, kind: breaker.stopped[0]?.trip?.kind };
}

describe('calls that reach no tool', () => {
  it.each<[string, Asked]>([
    ['the tool does not exist', { toolName: 'serch', input: '{"at":"sky"}' }],
    ['the tool has no name', { toolName: '', input: '{}' }],
    ['the input does not fit', { toolName: 'look', input: '{"att":"sky"}' }],
    ['the input is no JSON', { toolName: 'look', input: '{"at": "sk' }],
  ])('[AIS10] stop the agent at the third that is the same where %s', async (_, call) => {
    expect(await run(() => call)).toMatchObject({ asked: 3, kind: 'execution-storm' });
  });

  it('[AIS10] are told once each, with the error, and leave a healthy agent alone', async () => {
    const { asked, calls, kind } = await run((step) =>
      step < 2
        ? { toolName: 'look', input: '{"att":"sky"}' }
        : { toolName: 'look', input: `{"at":"star ${step}"}` },
    );
    expect({ asked, kind }).toEqual({ asked: STEPS, kind: undefined });
    const failed = calls.filter((call) => 'error' in call);
    expect(failed).toHaveLength(2);
    expect(calls).toHaveLength(STEPS);
  });

  it('[AIS11] are told as not executed where they are denied, and stop the agent in the end', async () => {
    const same = await run(() => ({ toolName: 'look', input: '{"at":"sky"}' }), true);
    expect(same).toMatchObject({ asked: 10, kind: 'rate' });
    expect(same.calls).toHaveLength(10);
    expect(same.calls[0]).toMatchObject({ tool: 'look', args: { at: 'sky' }, executed: false });
    const others = await run((at) => ({ toolName: 'look', input: `{"at":"star ${at}"}` }), true);
    expect(others).toMatchObject({ asked: 20, kind: 'rate' });
  });

  it('[AIS10] have failed, and were not denied, where their tool ran on the client', async () => {
    const call = {
      type: 'tool-call' as const,
      toolCallId: 'c0',
      toolName: 'look',
      input: '{"at":"sky"}',
    };
    const usage = { inputTokens: NONE, outputTokens: NONE };
    const end = { finishReason: { unified: 'stop' as const, raw: undefined }, usage, warnings: [] };
    let asked = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: asked++ === 0 ? [call] : [{ type: 'text', text: 'Done.' }],
        ...end,
      }),
    });
    const look = tool({ inputSchema: z.object({ at: z.string() }) });
    const agent = new ToolLoopAgent({
      id: 'watcher',
      model,
      tools: { look } as unknown as ToolSet,
    });
    const breaker = new Breaker();
    const calls: Signal[] = [];
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'tool-call') calls.push(signal);
    });
    guardAgent(agent, breaker, { judge: false, conversation: 'chat' });
    const { response } = await agent.generate({ prompt: 'Look.' });
    const output = { type: 'error-text' as const, value: 'no camera' };
    const content = [{ type: 'tool-result' as const, toolCallId: 'c0', toolName: 'look', output }];
    const messages = [...response.messages, { role: 'tool' as const, content }];
    await agent.generate({ messages });
    expect(calls).toMatchObject([{ tool: 'look', error: { message: 'no camera' } }]);
    expect(calls[0]).not.toHaveProperty('executed');
    expect(calls[0]).not.toHaveProperty('error.code');
  });
});
