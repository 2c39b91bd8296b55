import {
  type ChatItem,
  CodeGenerationEvent,
  ModelClientStreamingChunkEvent,
  SelectSpeakerEvent,
  TextMessage,
  ThoughtEvent,
  ToolCallRequestEvent,
  ToolCallSummaryMessage,
  UserInputRequestedEvent,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { ItemReader } from '../../src/signals/item-reader.ts';
import { asksTool, handoff, ran, read, text, toolGave, wrote } from '../support/items.ts';

describe('messages', () => {
  it('[MAP1] are told as messages, with who said them and how deep', () => {
    expect(read([text('writer', 'A draft')], { depth: 2 })).toEqual([
      { kind: 'message', at: 7, agent: 'writer', depth: 2, text: 'A draft' },
    ]);
  });

  it.each([true, false])('[MAP2] of the task by user are input, by a person: %s', (isPerson) => {
    const task = [text('user', 'Write'), text('archive', 'Notes')];
    const automatic = !isPerson && { isAutomatic: true };
    expect(read(task, { isTask: true, isTaskFromPerson: isPerson })).toEqual([
      { kind: 'human-input', at: 7, agent: 'user', text: 'Write', ...automatic },
      { kind: 'message', at: 7, agent: 'archive', text: 'Notes' },
    ]);
  });

  it('[MAP2] of user outside the task are messages like any other', () => {
    expect(read([text('user', 'Go on')])).toMatchObject([{ kind: 'message', agent: 'user' }]);
  });

  it('[MAP3] that answer a request for input are a person’s word, with the time waited', () => {
    const reader = new ItemReader();
    const request = new UserInputRequestedEvent({ source: 'boss', requestId: '1' });
    expect(read([request], { at: 100 }, reader)).toEqual([]);
    expect(read([text('boss', 'Yes')], { at: 350 }, reader)).toEqual([
      { kind: 'human-input', at: 350, agent: 'boss', text: 'Yes', waitedMs: 250 },
    ]);
    expect(read([text('boss', 'Yes')], { at: 400 }, reader)).toMatchObject([{ kind: 'message' }]);
  });

  it('[MAP4] that hand off are told as handoffs', () => {
    expect(read([handoff('sales', 'support')])).toEqual([
      { kind: 'handoff', at: 7, agent: 'sales', to: 'support', text: 'over to you' },
    ]);
  });

  it('[MAP4] by which a person hands off tell both', () => {
    expect(read([handoff('user', 'support', 'Look')], { isTask: true })).toEqual([
      { kind: 'human-input', at: 7, agent: 'user', text: 'Look', isAutomatic: true },
      { kind: 'handoff', at: 7, agent: 'user', to: 'support' },
    ]);
  });
});

describe('tool calls', () => {
  it('[MAP5] are told with the arguments they were asked for with', () => {
    const items = [
      asksTool('bot', '1', 'search', { q: 'rivers' }),
      toolGave('bot', '1', 'search', 'none'),
    ];
    expect(read(items)).toEqual([
      {
        kind: 'tool-call',
        at: 7,
        agent: 'bot',
        tool: 'search',
        args: { q: 'rivers' },
        callId: '1',
        result: 'none',
      },
    ]);
  });

  it('[MAP5] of agents that use the same ids are not mixed up', () => {
    const items = [
      asksTool('a', '1', 'search', { q: 'a' }),
      asksTool('b', '1', 'search', { q: 'b' }),
      toolGave('a', '1', 'search', 'x'),
      toolGave('b', '1', 'search', 'y'),
    ];
    expect(read(items)).toMatchObject([{ args: { q: 'a' } }, { args: { q: 'b' } }]);
  });

  it('[MAP5] of an unnamed tool are told as those of an unknown one', () => {
    expect(read([toolGave('bot', '1', '', 'seen')])).toMatchObject([{ tool: 'unknown' }]);
  });

  it('[MAP6] that failed are told with their error', () => {
    const items = [toolGave('bot', '1', 'search', 'no network', true)];
    expect(read(items)).toMatchObject([{ args: null, error: { message: 'no network' } }]);
  });

  it('[MAP6] with arguments that are not JSON keep them as text', () => {
    const items = [asksTool('bot', '1', 'f', '{oops'), toolGave('bot', '1', 'f', 'Error', true)];
    expect(read(items)).toMatchObject([{ args: '{oops' }]);
  });

  it('[MAP6] with a result in JSON are told with what it holds, not with its text', () => {
    const items = [toolGave('bot', '1', 'look', '{"rows": [], "servedAt": 17}')];
    expect(read(items)).toMatchObject([{ result: { rows: [], servedAt: 17 } }]);
  });

  it('[MAP6] are not told again by the message that sums them up', () => {
    const summary = (results: readonly string[]) =>
      new ToolCallSummaryMessage({
        source: 'bot',
        content: results.join('\n'),
        toolCalls: [],
        results: [],
      });
    const items = [toolGave('bot', '1', 'look', 'seen'), summary(['seen']), summary(['by itself'])];
    expect(read(items)).toMatchObject([
      { kind: 'tool-call', result: 'seen' },
      { kind: 'message', text: 'by itself' },
    ]);
  });

  it('[MAP7] that pass the conversation on are told by the handoff alone', () => {
    const items = [
      toolGave('bot', '1', 'transfer_to_bob', 'Transferred to bob.'),
      toolGave('bot', '2', 'transfer_to_carl', 'Transferred to carl.'),
      toolGave('bot', '3', 'lookup', 'found'),
      handoff('bot', 'bob', 'Transferred to bob.'),
    ];
    const signals = read(items);
    expect(signals.map(({ kind }) => kind)).toEqual(['tool-call', 'handoff']);
    expect(signals[0]).toMatchObject({ tool: 'lookup' });
  });
});

describe('calls of tools that look like handing off', () => {
  const other = handoff('critic', 'bob', 'Over to bob');

  it('[MAP7] are told if their agent did not hand off', () => {
    const items = [toolGave('bot', '1', 'transfer_to_archive', 'Moved'), other];
    expect(read(items).map(({ kind }) => kind)).toEqual(['tool-call', 'handoff']);
  });

  it('[MAP7] are told by the handoff alone under any name, by what they gave', () => {
    const items = [
      toolGave('critic', '1', 'ask_bob', 'Over to bob'),
      toolGave('critic', '2', 'look', 'seen'),
      other,
    ];
    expect(read(items)).toMatchObject([{ tool: 'look' }, { kind: 'handoff', to: 'bob' }]);
  });
});

describe('executions', () => {
  it('[MAP8] of an agent with a model are told with the code it wrote', () => {
    const items = [
      wrote('coder', 'print(1/0)'),
      ran(
        'coder',
        1,
        'The script ran, then exited with an error (POSIX exit code: 1)\nIts output was:\nZeroDivisionError',
      ),
    ];
    expect(read(items)).toEqual([
      {
        kind: 'execution',
        at: 7,
        agent: 'coder',
        language: 'python',
        code: 'print(1/0)',
        exitCode: 1,
        output: 'ZeroDivisionError',
      },
    ]);
  });

  it('[MAP8] are told with the last code there was, which a proposal without code does not change', () => {
    const proposal = { source: 'coder', retryAttempt: 1, content: 'Try again', codeBlocks: [] };
    const items = [
      wrote('coder', 'print(7)'),
      new CodeGenerationEvent(proposal),
      ran('coder', 0, '7'),
    ];
    expect(read(items)).toMatchObject([{ code: 'print(7)' }]);
  });

  it('[MAP9] reported in words are told with exit code and the code others wrote', () => {
    const items = [
      text('writer', 'Try this:\n```python\nprint(x)\n```\nand\n```sh\nls\n```\n'),
      text(
        'runner',
        'The script ran, then exited with an error (POSIX exit code: 2)\nIts output was:\nNameError: x',
      ),
    ];
    expect(read(items)).toMatchObject([
      { kind: 'message', agent: 'writer' },
      {
        kind: 'execution',
        agent: 'runner',
        language: 'python',
        code: 'print(x)\nls',
        exitCode: 2,
        output: 'NameError: x',
      },
    ]);
  });

  it('[MAP9] that failed without a word of an error are failures all the same', () => {
    const silent =
      'The script ran but produced no output to console. The POSIX exit code was: 3. If';
    expect(read([text('runner', silent)])[0]).toMatchObject({ exitCode: 3, output: '' });
  });

  it('[MAP10] that went well are known by who has spoken as an executor before', () => {
    const failed =
      'The script ran, then exited with an error (POSIX exit code: 1)\nIts output was:\nx';
    const items = [text('runner', '41'), text('runner', failed), text('runner', '42')];
    const executions = read(items).filter(({ kind }) => kind === 'execution');
    expect(executions).toMatchObject([{ exitCode: 1 }, { exitCode: 0, output: '42' }]);
  });

  it('[MAP11] that did not take place are not told', () => {
    const failed =
      'The script ran, then exited with an error (POSIX exit code: 1)\nIts output was:\nx';
    const items = [
      text('runner', failed),
      text('runner', 'No code blocks found in the thread. Please'),
      text('runner', 'Code execution was not approved. Reason: no'),
      ran('coder', 1, 'Code execution was not approved. Reason: no'),
      ran('coder', 125, 'half\nCancelled'),
    ];
    expect(read(items).filter(({ kind }) => kind === 'execution')).toHaveLength(1);
  });

  it('[MAP12] that timed out or were killed say so', () => {
    const items = [ran('coder', 124, 'waiting\nTimeout'), ran('coder', -9, '')];
    expect(read(items)).toMatchObject([{ exitCode: 124, timedOut: true }, { exitCode: null }]);
  });
});

describe('other items', () => {
  const prices = { price: () => ({ nanoUsd: 2_000_000 }) };

  it('[MAP13] tell the usage they carry before what was said, unpriced where nobody knows a price', () => {
    const modelsUsage = { promptTokens: 10, completionTokens: 4 };
    const message = new TextMessage({ source: 'writer', content: 'A draft', modelsUsage });
    const usage = { kind: 'usage', at: 7, agent: 'writer', inputTokens: 10, outputTokens: 4 };
    expect(read([message])[0]).toEqual({ ...usage, model: 'unknown', costUsd: null });
    const { pricing } = internalsOf(new Breaker({ models: { writer: 'gpt-4o' }, prices }));
    expect(read([message], { pricing })[0]).toEqual({
      ...usage,
      model: 'gpt-4o',
      costUsd: 0.002,
    });
  });

  it('[MAP13] tell the usage of the call that asked for tools', () => {
    const modelsUsage = { promptTokens: 1, completionTokens: 2 };
    const request = new ToolCallRequestEvent({ source: 'bot', content: [], modelsUsage });
    expect(read([request])).toMatchObject([{ kind: 'usage', inputTokens: 1 }]);
  });

  it('[MAP13] tell no cost of usage that cannot be read, whatever the prices', () => {
    const modelsUsage = { promptTokens: Number.NaN, completionTokens: 4 };
    const message = new TextMessage({ source: 'writer', content: 'A draft', modelsUsage });
    const { pricing } = internalsOf(new Breaker({ prices }));
    expect(read([message], { pricing })[0]).toMatchObject({ inputTokens: 0, costUsd: null });
  });

  it('[MAP14] tell who was chosen', () => {
    const event = new SelectSpeakerEvent({ source: 'Manager', content: ['a', 'b'] });
    expect(read([event])).toEqual([
      { kind: 'selection', at: 7, agent: 'Manager', chosen: 'a' },
      { kind: 'selection', at: 7, agent: 'Manager', chosen: 'b' },
    ]);
  });

  it('[MAP15] that are thoughts or pieces of a message tell nothing', () => {
    const fields = { source: 'writer', content: 'hm' };
    const chunk = new ModelClientStreamingChunkEvent({ ...fields, fullMessageId: '1' });
    expect(read([new ThoughtEvent(fields), chunk])).toEqual([]);
  });

  it('[MAP16] seen where they happen are not read a second time', () => {
    const tapped = {
      models: true,
      code: true,
      isReport: (message: ChatItem) => message.source === 'runner',
      handoffs: ['ask_bob'],
      toolCall: (id: string) => id === '1',
    };
    const items = [
      toolGave('bot', '1', 'search', 'seen'),
      toolGave('bot', '2', 'nonsense', 'not offered', true),
      toolGave('bot', '3', 'ask_bob', 'asking'),
      ran('bot', 1, 'x'),
      text('runner', 'x'),
    ];
    expect(read(items, { tapped })).toMatchObject([{ tool: 'nonsense' }]);
  });
});
