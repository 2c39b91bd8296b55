import { InvalidOptionError, type Signal } from '@teamfuse/core';
import { parseSignal } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { transcript } from '../src/index.ts';

const FORMS: readonly (readonly [string, Signal])[] = [
  ['A:hello', { kind: 'message', at: 0, agent: 'A', text: 'hello' }],
  ['A:', { kind: 'message', at: 0, agent: 'A', text: '' }],
  ['A:"so long\\n\\"here\\""', { kind: 'message', at: 0, agent: 'A', text: 'so long\n"here"' }],
  [
    'A>find(cups)=none',
    { kind: 'tool-call', at: 0, agent: 'A', tool: 'find', args: 'cups', result: 'none' },
  ],
  [
    'A>find({"q": "a (b)"})=[1, {"n": 2}]',
    {
      kind: 'tool-call',
      at: 0,
      agent: 'A',
      tool: 'find',
      args: { q: 'a (b)' },
      result: [1, { n: 2 }],
    },
  ],
  [
    'A>find()!"not found"',
    {
      kind: 'tool-call',
      at: 0,
      agent: 'A',
      tool: 'find',
      args: '',
      error: { message: 'not found' },
    },
  ],
  [
    'A!exit1:boom',
    { kind: 'execution', at: 0, agent: 'A', language: 'sh', code: '', exitCode: 1, output: 'boom' },
  ],
  [
    'A!exit0("npm test"):"2 passed"',
    {
      kind: 'execution',
      at: 0,
      agent: 'A',
      language: 'sh',
      code: 'npm test',
      exitCode: 0,
      output: '2 passed',
    },
  ],
  ['A->B', { kind: 'handoff', at: 0, agent: 'A', to: 'B' }],
  ['A->B:"your turn"', { kind: 'handoff', at: 0, agent: 'A', to: 'B', text: 'your turn' }],
  ['P?"go on"', { kind: 'human-input', at: 0, agent: 'P', text: 'go on' }],
  [
    'A#900/40',
    {
      kind: 'usage',
      at: 0,
      agent: 'A',
      model: 'model',
      inputTokens: 900,
      outputTokens: 40,
      costUsd: null,
    },
  ],
];

describe('transcript', () => {
  it.each(FORMS)('[TRS1] reads %s', (written, signal) => {
    expect(transcript(written)).toEqual([signal]);
    expect(() => parseSignal(signal)).not.toThrow();
  });

  it('[TRS2] puts each signal a step after the one before', () => {
    const times = transcript('A:x\n  B:x +500 A:x', { startAt: 100, stepMs: 10 }).map(
      ({ at }) => at,
    );
    expect(times).toEqual([100, 110, 620]);
  });

  it('[TRS3] nests chats, and all that happens in them', () => {
    const signals = transcript('A{review:"check it" B:fine A}done A:ok');
    const chat = { chatId: 'review', depth: 1, path: ['main', 'review'] };
    expect(signals).toEqual([
      { kind: 'nested-start', at: 0, agent: 'A', ...chat, trigger: 'reply:A', text: 'check it' },
      { kind: 'message', at: 1000, agent: 'B', depth: 1, text: 'fine' },
      { kind: 'nested-end', at: 2000, agent: 'A', ...chat, text: 'done' },
      { kind: 'message', at: 3000, agent: 'A', text: 'ok' },
    ]);
  });

  it.each(['hello', 'A;x', 'A:x"y"', 'A:"open', 'A>find', 'A}', 'A:x B', ':x', 'A->', 'A#1'])(
    '[TRS4] refuses %s, showing where it stopped reading',
    (written) => {
      expect(() => transcript(written)).toThrow(InvalidOptionError);
    },
  );

  it.each<[unknown, object, string]>([
    [undefined, {}, "option 'text': expected text, received nothing"],
    ['A:hi', { startAt: -1 }, "option 'startAt': expected"],
    ['A:hi', { stepMS: 5 }, "did you mean 'stepMs'?"],
  ])('[TRS4] refuses %j with %j and names the option', (written, options, message) => {
    expect(() => transcript(written as string, options)).toThrow(message);
  });
});
