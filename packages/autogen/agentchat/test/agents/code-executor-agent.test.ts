import { CodeExecutorAgent, TextMessage, ToolCallSummaryMessage } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { collect, lines, replay, scriptedExecutor } from './scripts.ts';

const FENCE = '```';
const code = (label: string, body = 'x') => `${FENCE}${label}\n${body}\n${FENCE}`;
const text = (content: string, source = 'a') => new TextMessage({ content, source });
const ok = { exitCode: 0, output: 'fine\n' };

describe('CodeExecutorAgent without a model', () => {
  it.each([
    ['python', true],
    ['PYTHON', true],
    [' sh', true],
    ['', false],
    ['bash', false],
    ['python ', false],
    ['python\r', false],
  ])('[EXEC1] runs a block labelled %j: %s', async (label, runs) => {
    const codeExecutor = scriptedExecutor(ok);
    await new CodeExecutorAgent('c', { codeExecutor }).onMessages([text(code(label))]);
    expect(codeExecutor.ran).toEqual(runs ? ['x'] : []);
  });

  it('[EXEC2] runs the blocks of all text messages of its sources together', async () => {
    const codeExecutor = scriptedExecutor(ok);
    const agent = new CodeExecutorAgent('c', { codeExecutor, sources: ['a', 'b'] });
    const summary = { content: code('sh', 'no'), source: 'a', toolCalls: [], results: [] };
    await agent.onMessages([
      text(`${code('sh', '1')} and ${code('sh', '2')}`),
      text(code('sh', '3'), 'b'),
      text(code('sh', 'no'), 'stranger'),
      new ToolCallSummaryMessage(summary),
    ]);
    expect(codeExecutor.ran).toEqual(['1;2;3']);
  });

  it.each([
    [{ exitCode: 0, output: 'fine\n' }, 'fine\n'],
    [
      { exitCode: 2, output: 'bad' },
      'The script ran, then exited with an error (POSIX exit code: 2)\nIts output was:\nbad',
    ],
    [
      { exitCode: 1, output: ' \n' },
      'The script ran but produced no output to console. The POSIX exit code was: 1. If you were expecting output, consider revising the script to ensure content is printed to stdout.',
    ],
  ])('[EXEC3] puts %j into words', async (result, expected) => {
    const agent = new CodeExecutorAgent('c', { codeExecutor: scriptedExecutor(result) });
    const { chatMessage, innerMessages } = await agent.onMessages([text(code('sh'))]);
    expect(chatMessage.toText()).toBe(expected);
    expect(innerMessages).toBeUndefined();
  });

  it('[EXEC4] runs nothing that was not approved', async () => {
    const codeExecutor = scriptedExecutor(ok);
    const asked: string[] = [];
    const agent = new CodeExecutorAgent('c', {
      codeExecutor,
      approvalFunc: async (request) => {
        asked.push(request.code);
        return { approved: false, reason: 'too risky' };
      },
    });
    const { chatMessage } = await agent.onMessages([text(code('sh', 'rm'))]);
    expect(chatMessage.toText()).toBe('Code execution was not approved. Reason: too risky');
    expect(asked).toEqual([code('sh', 'rm\n')]);
    expect(codeExecutor.ran).toEqual([]);
  });

  it('[EXEC5] passes the signal on to the executor', async () => {
    const { signal } = new AbortController();
    let passed: AbortSignal | undefined;
    const agent = new CodeExecutorAgent('c', {
      codeExecutor: {
        executeCodeBlocks: async (_, options) => {
          passed = options?.signal;
          return ok;
        },
      },
    });
    await agent.onMessages([text(code('sh'))], { signal });
    expect(passed).toBe(signal);
  });
});

describe('CodeExecutorAgent with a model', () => {
  const retry = (reason: string) => JSON.stringify({ retry: true, reason });

  it('[EXEC6] corrects failed code in the sight of the stream alone', async () => {
    const modelClient = replay(
      {
        content: code('python', 'bad'),
        thought: 'hm',
        usage: { promptTokens: 100, completionTokens: 1 },
      },
      { content: retry('a typo'), usage: { promptTokens: 200, completionTokens: 1 } },
      { content: code('python', 'good'), usage: { promptTokens: 300, completionTokens: 1 } },
      { content: 'It is 30.', usage: { promptTokens: 400, completionTokens: 40 } },
    );
    const codeExecutor = scriptedExecutor({ exitCode: 1, output: 'no' }, ok);
    const agent = new CodeExecutorAgent('c', { codeExecutor, modelClient, maxRetriesOnError: 1 });
    const { items, end } = await collect(agent.onMessagesStream([text('mean?')]));
    expect(items.map(({ type }) => type)).toEqual([
      'ThoughtEvent',
      'CodeGenerationEvent',
      'CodeExecutionEvent',
      'CodeGenerationEvent',
      'CodeGenerationEvent',
      'CodeExecutionEvent',
    ]);
    expect(lines(items)[3]).toBe(
      'CodeGenerationEvent(c): Attempt number: 1\nProposed correction: a typo',
    );
    expect(end).toMatchObject({
      chatMessage: { content: 'It is 30.', modelsUsage: { promptTokens: 400 } },
      innerMessages: [{ type: 'ThoughtEvent' }],
    });
    expect(codeExecutor.ran).toEqual(['bad', 'good']);
  });

  it('[EXEC7] answers in words without running anything, without usage', async () => {
    const modelClient = replay({
      content: 'Paris',
      usage: { promptTokens: 9, completionTokens: 1 },
    });
    const agent = new CodeExecutorAgent('c', { codeExecutor: scriptedExecutor(), modelClient });
    const response = await agent.onMessages([text('capital?')]);
    expect(response.chatMessage).toMatchObject({ content: 'Paris', modelsUsage: null });
  });

  it('[EXEC8] needs a model with structured output to correct itself', () => {
    const codeExecutor = scriptedExecutor();
    expect(() => new CodeExecutorAgent('c', { codeExecutor, maxRetriesOnError: 1 })).toThrow(
      'model_client.model_info must be provided when max_retries_on_error > 0',
    );
  });
});
