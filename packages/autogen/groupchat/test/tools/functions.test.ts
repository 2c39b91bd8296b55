import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ChatMessage, registerFunction, type ToolFunction } from '../../src/index.ts';
import { speaker, TestIO } from '../cast.ts';

const call = (name: string, args?: string) => ({
  id: '1',
  type: 'function',
  function: args === undefined ? { name } : { name, arguments: args },
});

async function results(body: ToolFunction, args?: string, name = 'f'): Promise<string[]> {
  const agent = speaker('tools', { functionMap: { f: body } });
  const messages: ChatMessage[] = [{ content: null, tool_calls: [call(name, args)] }];
  const reply = (await agent.generateReply({ messages })) as ChatMessage;
  return (reply.tool_responses ?? []).map(({ content }) => content);
}

describe('tool calls', () => {
  test('[FN1] are executed in order and answered together', async () => {
    const agent = speaker('tools', { functionMap: { add: ({ a, b }) => Number(a) + Number(b) } });
    const messages: ChatMessage[] = [
      { content: null, tool_calls: [call('add', '{"a": 1, "b": 2}'), call('none', '{}')] },
    ];
    expect(await agent.generateReply({ messages })).toEqual({
      role: 'tool',
      tool_responses: [
        { tool_call_id: '1', role: 'tool', content: '3' },
        { tool_call_id: '1', role: 'tool', content: 'Error: Function none not found.' },
      ],
      content: '3\n\nError: Function none not found.',
    });
  });

  test('[FN1] in the older form are answered under the name of the function', async () => {
    const agent = speaker('tools', { functionMap: { f: () => 'done' } });
    const messages: ChatMessage[] = [
      { content: null, function_call: { name: 'f', arguments: '{}' } },
    ];
    expect(await agent.generateReply({ messages })).toEqual({
      role: 'function',
      name: 'f',
      content: 'done',
    });
  });

  test.each([
    ['null', 'Error: f() argument after ** must be a mapping, not NoneType'],
    ['[1]', 'Error: f() argument after ** must be a mapping, not list'],
    [
      '{',
      'Error: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)\n The argument must be in JSON format.',
    ],
  ])('[FN1] arguments %s are an error for the model', async (args, expected) => {
    expect(await results(() => 'ok', args)).toEqual([expected]);
  });

  test('[FN2] a fault in the arguments is reported in the words of Python, with its place', async () => {
    expect(await results(() => 'ok', '{"a": 1 "b"}')).toEqual([
      "Error: Expecting ',' delimiter: line 1 column 9 (char 8)\n The argument must be in JSON format.",
    ]);
  });

  test('[FN2] a SyntaxError of the function is no fault of the arguments', async () => {
    const body = () => JSON.parse('{');
    expect((await results(body, '{}'))[0]).not.toContain('must be in JSON format');
  });

  test('[FN1] missing arguments are none', async () => {
    expect(await results((args) => Object.keys(args).length)).toEqual(['0']);
  });

  test('[FN1] an exception of a function becomes an error text for the model', async () => {
    const body = () => Promise.reject(new Error('no network'));
    expect(await results(body, '{}')).toEqual(['Error: no network']);
  });

  test.each([
    ['itself', (tripped: Error) => tripped],
    ['as the cause of another error', (tripped: Error) => new Error('failed', { cause: tripped })],
  ])('[FN5] a refusal ends the chat and is no text for the model: %s', async (_, thrown) => {
    const tripped = Object.assign(new Error('search goes in circles'), { code: 'TRIPPED' });
    const asks = { content: [{ id: '1', name: 'search', arguments: '{}' }] };
    const model = new ReplayChatCompletionClient([asks, asks, asks]);
    let calls = 0;
    const search: ToolFunction = () => {
      if (++calls > 1) throw thrown(tripped);
      return 'nothing found';
    };
    const caller = speaker('caller', { llmConfig: { client: model } });
    const executor = speaker('executor', { functionMap: { search } });
    const { stopKind, stopReason, chatHistory } = await executor.initiateChat(caller, {
      message: 'Search!',
      maxTurns: 20,
    });
    expect({ stopKind, stopReason, calls, asked: model.calls.length }).toEqual({
      stopKind: 'refused',
      stopReason: 'search goes in circles',
      calls: 2,
      asked: 2,
    });
    expect(chatHistory).toHaveLength(4);
  });

  test('[FN1] raw line breaks and tabs in strings are meant', async () => {
    expect(await results(({ text }) => text, '{\n"text": "a\nb\tc"\n}')).toEqual(['a\nb\tc']);
  });

  test.each([
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'null'],
    [true, 'true'],
    [{ a: [1, 'é'], b: null }, '{"a": [1, "é"], "b": null}'],
  ])('[FN3] %j is returned as %s', async (value, expected) => {
    expect(await results(() => value, '{}')).toEqual([expected]);
  });
});

describe('registerFunction', () => {
  const add = {
    name: 'add',
    description: 'Adds two numbers.',
    parameters: z.object({ a: z.number(), b: z.number() }),
    func: ({ a, b }: { a: number; b: number }) => a + b,
  };
  const client = () => new ReplayChatCompletionClient([{ content: 'answer' }]);

  test('[FN4] tells the model of one agent and equips another', async () => {
    const model = client();
    const caller = speaker('caller', { llmConfig: { client: model } });
    const executor = speaker('executor');
    registerFunction(add, { caller, executor });
    await caller.generateReply({ messages: [{ role: 'user', content: 'x' }] });
    expect(model.calls[0]?.options.tools).toMatchObject([
      { name: 'add', description: 'Adds two numbers.', parameters: { required: ['a', 'b'] } },
    ]);
    expect(executor.canExecuteFunction('add')).toBe(true);
    expect(await executor.executeFunction({ name: 'add', arguments: '{"a": 1, "b": 2}' })).toEqual({
      succeeded: true,
      content: '3',
    });
  });

  test('[FN4] checks arguments before the function is called', async () => {
    const executor = speaker('executor');
    executor.registerForExecution(add);
    const { succeeded, content } = await executor.executeFunction({
      name: 'add',
      arguments: '{"a": "1"}',
    });
    expect(succeeded).toBe(false);
    expect(content).toMatch(/^Error: a: .*number.*; b: /);
  });

  test('[FN4] needs a model, a description and a usable name', () => {
    const agent = speaker('caller', { llmConfig: { client: client() } });
    expect(() => speaker('none').registerForLlm(add)).toThrow('agent must have an llm_config');
    expect(() => agent.registerForLlm({ ...add, description: '' })).toThrow(
      'Function description is required',
    );
    expect(() => agent.registerForLlm({ ...add, name: 'a b' })).toThrow(
      'Invalid name: a b. Only letters',
    );
    expect(() => agent.registerForExecution({ ...add, name: 'a'.repeat(65) })).toThrow(
      'less than 64',
    );
  });

  test('[FN4] warns when a tool takes the place of another', () => {
    const io = new TestIO();
    const agent = speaker('both', { io, llmConfig: { client: client() } });
    registerFunction(add, { caller: agent, executor: agent });
    registerFunction(add, { caller: agent, executor: agent });
    const warning = "Function 'add' is being overridden.";
    expect(io.warnings).toEqual([warning, warning]);
  });
});
