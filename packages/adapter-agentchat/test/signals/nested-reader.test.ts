import { ToolCallExecutionEvent } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { ItemReader } from '../../src/signals/item-reader.ts';
import { asksTool, asksTools, read, text, toolGave } from '../support/items.ts';

describe('chats that tools open', () => {
  const chat = [
    asksTool('boss', '1', 'helper', { task: 'Add' }),
    text('user', 'Add'),
    text('helper', 'It is 7'),
    toolGave('boss', '1', 'helper', 'helper: It is 7'),
    text('boss', 'Seven'),
  ];
  const place = { at: 7, agent: 'boss', chatId: 'helper#1', depth: 1, path: ['boss', 'helper'] };

  it('[MAP17] begin with their task and end with the tool’s result, one deeper', () => {
    expect(read(chat)).toEqual([
      { kind: 'nested-start', ...place, trigger: 'tool:helper', text: 'Add' },
      { kind: 'message', at: 7, agent: 'helper', depth: 1, text: 'It is 7' },
      { kind: 'nested-end', ...place, text: 'helper: It is 7' },
      {
        kind: 'tool-call',
        at: 7,
        agent: 'boss',
        tool: 'helper',
        args: { task: 'Add' },
        callId: '1',
        result: 'helper: It is 7',
      },
      { kind: 'message', at: 7, agent: 'boss', text: 'Seven' },
    ]);
  });

  it('[MAP17] may open others', () => {
    const items = [
      asksTool('boss', '1', 'lead', { task: 'Plan' }),
      text('user', 'Plan'),
      asksTool('lead', '1', 'clerk', { task: 'File' }),
      text('user', 'File'),
      text('clerk', 'Filed'),
      toolGave('lead', '1', 'clerk', 'Filed'),
      text('lead', 'Planned'),
      toolGave('boss', '1', 'lead', 'Planned'),
      text('boss', 'Done'),
    ];
    expect(read(items).map(({ kind, agent, depth = 0 }) => `${depth} ${kind} ${agent}`)).toEqual([
      '1 nested-start boss',
      '2 nested-start lead',
      '2 message clerk',
      '2 nested-end lead',
      '1 tool-call lead',
      '1 message lead',
      '1 nested-end boss',
      '0 tool-call boss',
      '0 message boss',
    ]);
  });

  it('[MAP17] that broke off leave nothing behind', () => {
    const broken = [...chat.slice(0, 3), text('boss', 'Never mind'), text('critic', 'Well')];
    expect(read(broken).slice(-2)).toEqual([
      { kind: 'message', at: 7, agent: 'boss', text: 'Never mind' },
      { kind: 'message', at: 7, agent: 'critic', text: 'Well' },
    ]);
  });

  /** A boss that has two agents add and multiply at the same time. */
  const both = asksTools(
    'boss',
    ['1', 'adder', { task: 'Add' }],
    ['2', 'multiplier', { task: 'Multiply' }],
  );
  const bothGave = new ToolCallExecutionEvent({
    source: 'boss',
    content: [
      { callId: '1', name: 'adder', content: '7', isError: false },
      { callId: '2', name: 'multiplier', content: '12', isError: false },
    ],
  });

  it('[MAP17] at the same time are told apart by their tasks, and are as deep as each other', () => {
    const items = [both, text('user', 'Multiply'), text('user', 'Add'), bothGave];
    const signals = read(items);
    const adding = { agent: 'boss', chatId: 'adder#2', depth: 1, path: ['boss', 'adder'] };
    const other = { agent: 'boss', chatId: 'multiplier#1', depth: 1, path: ['boss', 'multiplier'] };
    expect(signals.slice(0, 4)).toEqual([
      { kind: 'nested-start', at: 7, ...other, trigger: 'tool:multiplier', text: 'Multiply' },
      { kind: 'nested-start', at: 7, ...adding, trigger: 'tool:adder', text: 'Add' },
      { kind: 'nested-end', at: 7, ...other, text: '12' },
      { kind: 'nested-end', at: 7, ...adding, text: '7' },
    ]);
  });

  it('[MAP17] on the same task are one for each call', () => {
    const items = [
      asksTools('boss', ['1', 'helper', { task: 'Add' }], ['2', 'helper', { task: 'Add' }]),
      ...['Add', 'Add', 'Add'].map((task) => text('user', task)),
    ];
    expect(read(items)).toMatchObject([
      { kind: 'nested-start', chatId: 'helper#1' },
      { kind: 'nested-start', chatId: 'helper#2' },
      { kind: 'message', agent: 'user', text: 'Add' },
    ]);
  });

  it('[MAP17] inside others have the path through those', () => {
    const items = [
      asksTool('boss', '1', 'lead', { task: 'Plan' }),
      text('user', 'Plan'),
      asksTools('lead', ['1', 'clerk', { task: 'File' }], ['2', 'typist', { task: 'Type' }]),
      text('user', 'File'),
      text('user', 'Type'),
    ];
    expect(read(items)).toMatchObject([
      { depth: 1, path: ['boss', 'lead'] },
      { depth: 2, path: ['boss', 'lead', 'clerk'] },
      { depth: 2, path: ['boss', 'lead', 'typist'] },
    ]);
  });

  it('[MAP17] in which the same agents ask each other are ever deeper', () => {
    const items = [1, 2].flatMap((round) => [
      asksTool('boss', `b${round}`, 'lead', { task: `Plan ${round}` }),
      text('user', `Plan ${round}`),
      asksTool('lead', `l${round}`, 'boss', { task: `Decide ${round}` }),
      text('user', `Decide ${round}`),
    ]);
    expect(read(items).map((signal) => 'depth' in signal && signal.depth)).toEqual([1, 2, 3, 4]);
  });

  it('[MAP17] one after the other each begin and end once', () => {
    const kinds = read([...chat.slice(0, 4), ...chat.slice(0, 4)]).map(({ kind }) => kind);
    const one = ['nested-start', 'message', 'nested-end', 'tool-call'];
    expect(kinds).toEqual([...one, ...one]);
  });

  it('[MAP17] whose call has no result end without a text', () => {
    const signals = read([...chat.slice(0, 2), toolGave('boss', '2', 'other', 'seen')]);
    expect(signals[1]).toEqual({ kind: 'nested-end', ...place });
  });

  it('[MAP17] begin with a word of user alone, and while others speak', () => {
    const items = [...chat.slice(0, 1), text('critic', 'Add'), text('user', 'Add')];
    expect(read(items).map(({ kind }) => kind)).toEqual(['message', 'nested-start']);
  });

  it('[MAP17] are over with the run they are in, and so are calls that opened none', () => {
    const reader = new ItemReader();
    read([both, text('user', 'Add')], {}, reader);
    read([text('user', 'Go on')], { isTask: true }, reader);
    const later = read([text('critic', 'Well'), text('user', 'Multiply')], {}, reader);
    expect(later).toEqual([
      { kind: 'message', at: 7, agent: 'critic', text: 'Well' },
      { kind: 'message', at: 7, agent: 'user', text: 'Multiply' },
    ]);
  });
});
