import { describe, expect, it } from 'vitest';
import { AssistantAgent } from '../../src/agents/assistant-agent.ts';
import { CancelledError } from '../../src/base/errors.ts';
import { RoundRobinGroupChat } from '../../src/teams/round-robin-group-chat.ts';
import type { Workbench } from '../../src/tools/workbench.ts';
import { calls, collect, lines, replay, tool } from './scripts.ts';

describe('AssistantAgent', () => {
  it('[ASST1] answers with what the model says, usage included', async () => {
    const agent = new AssistantAgent('alice', { modelClient: replay('Rivers bend') });
    const { messages, stopReason } = await agent.run({ task: 'a haiku' });
    expect(lines(messages)).toEqual([
      'TextMessage(user): a haiku',
      'TextMessage(alice): Rivers bend',
    ]);
    expect(messages.at(-1)?.modelsUsage?.completionTokens).toBe(2);
    expect(stopReason).toBeNull();
  });

  it('[ASST2] streams the same items it keeps, in order', async () => {
    const agent = new AssistantAgent('alice', {
      modelClient: replay(calls('look'), 'It is sunny.'),
      tools: [tool('look', () => 'sunny')],
      reflectOnToolUse: true,
    });
    const { items } = await collect(agent.runStream({ task: 'weather?' }));
    expect(lines(items)).toEqual([
      'TextMessage(user): weather?',
      "ToolCallRequestEvent(alice): [FunctionCall(id='1', arguments='{}', name='look')]",
      "ToolCallExecutionEvent(alice): [FunctionExecutionResult(content='sunny', name='look', call_id='1', is_error=False)]",
      'TextMessage(alice): It is sunny.',
    ]);
  });

  it.each([false, true])(
    '[ASST3] ends with a cancellation error when a model ignores the signal, streaming: %s',
    async (modelClientStream) => {
      const controller = new AbortController();
      const hang = (): Promise<never> => {
        controller.abort();
        return new Promise(() => {});
      };
      const modelClient = Object.assign(replay(), {
        create: hang,
        createStream: async function* () {
          yield 'begun';
          await hang();
        },
      });
      const agent = new AssistantAgent('a', { modelClient, modelClientStream });
      const team = new RoundRobinGroupChat([agent]);
      const run = team.run({ task: 'x', signal: controller.signal });
      await expect(run).rejects.toThrow(CancelledError);
    },
  );

  it('[ASST3] ends with a cancellation error when a tool ignores the signal', async () => {
    const controller = new AbortController();
    const agent = new AssistantAgent('alice', {
      modelClient: replay(calls('hang')),
      tools: [
        tool('hang', () => {
          controller.abort();
          return new Promise(() => undefined);
        }),
      ],
    });
    await expect(agent.run({ task: 'x', signal: controller.signal })).rejects.toThrow(
      CancelledError,
    );
  });

  it('[ASST4] makes an error result of a workbench that throws', async () => {
    const workbench: Workbench = {
      listTools: async () => [{ name: 'f' }],
      callTool: async () => {
        throw new Error('  no power \n');
      },
    };
    const agent = new AssistantAgent('alice', { modelClient: replay(calls('f')), workbench });
    const { messages } = await agent.run({ task: 'x' });
    expect(lines(messages).at(-1)).toBe('ToolCallSummaryMessage(alice): no power');
  });

  it('[GUARD1] lets a refusal thrown inside a tool end the turn', async () => {
    const refusal = Object.assign(new Error('stopped'), { code: 'TRIPPED' });
    const agent = new AssistantAgent('alice', {
      modelClient: replay(calls('f'), 'never said'),
      tools: [
        tool('f', () => {
          throw refusal;
        }),
      ],
      maxToolIterations: 3,
    });
    await expect(agent.run({ task: 'x' })).rejects.toBe(refusal);
  });
});
