import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BadInputError, mappedFormat, readRecordings } from '../../src/index.ts';
import { fixture } from '../support/fixture.ts';
import { read } from '../support/read.ts';

/** Each signal in one line: who did what. */
async function told(name: string): Promise<string[][]> {
  const { conversations } = await read(fixture(name));
  return [...conversations.values()].map((signals) => signals.map(inShort));
}

function inShort(signal: Signal): string {
  const { kind, agent } = signal;
  if (kind === 'execution') return `${agent} ran ${signal.exitCode}`;
  if (kind === 'tool-call') return `${agent} called ${signal.tool} ${JSON.stringify(signal.args)}`;
  if (kind === 'usage') return `${agent} used ${signal.inputTokens}+${signal.outputTokens}`;
  return `${agent} ${kind}`;
}

const ROUND = ['coder message', 'runner ran 1'];
const FAILING = ['runner human-input', ...ROUND, ...ROUND, ...ROUND, ...ROUND];
const withoutUsage = (lines: readonly string[] = []): string[] =>
  lines.filter((line) => !line.includes(' used '));

describe('AutoGen 0.2', () => {
  it('[READ2] reads every chat of a list of results', async () => {
    const [failing, stock] = await told('autogen-0.2-chat.json');
    expect(failing).toEqual(FAILING);
    expect(stock).toEqual([
      'boss human-input',
      'clerk called stock {"item":"lamp"}',
      'clerk message',
    ]);
  });

  it.each([
    ['autogen-0.2.db', FAILING],
    ['autogen-0.2.27.db', FAILING],
    // Without events nothing holds what came after the last model call.
    ['autogen-0.2.20.db', FAILING.slice(0, -1)],
  ])('[READ3] reads the sessions of %s, whatever its version', async (name, expected) => {
    const [failing, other] = await told(name);
    expect(withoutUsage(failing)).toEqual(expected);
    expect(withoutUsage(other)).toEqual(['runner human-input', 'coder message']);
    expect(failing?.filter((line) => line === 'coder used 140+20')).toHaveLength(1);
  });

  it('[READ4] takes a message to a group for one, however many are told of it', async () => {
    const [failing, other] = await told('autogen-0.2.log');
    expect(withoutUsage(failing)).toEqual(FAILING);
    expect(other).toEqual(['boss human-input', 'clerk message']);
  });
});

describe('AutoGen 0.4', () => {
  it('[READ5] reads calls with their results, hand-overs and selections', async () => {
    const [failing, stock] = await told('autogen-0.4-results.jsonl');
    expect(withoutUsage(failing)).toEqual(['user human-input', ...FAILING.slice(1)]);
    expect(stock).toEqual([
      'user human-input',
      'clerk used 50+10',
      'clerk called stock {"item":"lamp"}',
      'clerk handoff',
      'manager selection',
      'cashier message',
    ]);
  });

  it('[READ5] reads the thread of a saved team, and of its members nothing twice', async () => {
    const [state] = await told('autogen-0.4-state.json');
    const [messages] = await told('autogen-0.4.jsonl');
    expect(state).toEqual(messages);
  });
});

const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'stock',
  'gen_ai.tool.call.arguments': '{"item":"lamp"}',
};

function span(spanId: string, parentSpanId: string, named: object, at: number): object {
  const attributes = Object.entries(named).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  }));
  return {
    traceId: 't',
    spanId,
    parentSpanId,
    name: 'x',
    endTimeUnixNano: `${at}000000`,
    attributes,
  };
}

/** Two agents below one run, each with the call of a tool, in the order of their ends. */
function twoAgents(): object[] {
  const pay = { ...TOOL, 'gen_ai.tool.name': 'pay', 'gen_ai.tool.call.arguments': '{"sum":3}' };
  const invoked = (name: string): object => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.conversation.id': 'chat 7',
  });
  return [
    span('3', '2', TOOL, 1),
    span('2', '1', invoked('clerk'), 2),
    span('6', '5', pay, 3),
    span('5', '4', {}, 4),
    span('4', '1', invoked('cashier'), 5),
    span('1', '', {}, 6),
  ];
}

describe('other formats', () => {
  it('[READ6] joins calls and results of message lists and of content blocks', async () => {
    const [list, blocks] = await told('openai-messages.jsonl');
    expect(list?.[1]).toBe('assistant called stock {"item":"lamp"}');
    expect(blocks).toEqual([
      'user human-input',
      'assistant message',
      'assistant called stock {"item":"lamp"}',
      'assistant message',
    ]);
  });

  it('[READ7] joins calls and outputs of Responses items', async () => {
    const [items] = await told('openai-responses.jsonl');
    expect(items?.slice(0, 2)).toEqual([
      'user human-input',
      'assistant called stock {"item":"lamp"}',
    ]);
    expect(items?.at(-1)).toBe('assistant message');
  });

  it('[READ8] reads what AutoGen printed into the cells of a notebook', async () => {
    const [chat, tools, console] = await told('notebook.ipynb');
    expect(chat).toEqual(FAILING);
    expect(tools).toEqual(['boss human-input', 'clerk called stock {"item":"lamp"}']);
    expect(console).toEqual(['user human-input', 'clerk message']);
  });

  it('[READ9] reads model calls and tool calls of GenAI spans, a conversation for each trace', async () => {
    const { conversations } = await read(fixture('otlp.jsonl'));
    expect(conversations.size).toBe(2);
    const calls = conversations.get('0af7651916cd43dd8448eb211c80319c')?.map(inShort);
    const letter = conversations.get('letter')?.map(inShort);
    expect(calls?.slice(0, 3)).toEqual([
      'user human-input',
      'clerk used 100+10',
      'clerk called stock {"item":"lamp"}',
    ]);
    expect(letter).toEqual(['user human-input', 'assistant used 5+2', 'assistant message']);
  });

  it.each([
    ['in one line', (spans: object[]) => [spans]],
    ['in a line each, children first', (spans: object[]) => spans.map((span) => [span])],
    ['without the root', (spans: object[]) => spans.slice(0, -1).map((span) => [span])],
  ])(
    '[READ9] names the agent and the conversation of a span as its parents do: %s',
    async (_, lines) => {
      const text = lines(twoAgents())
        .map((spans) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
        .join('\n');
      const { conversations, broken } = await read('spans.jsonl', text);
      expect(broken).toEqual([]);
      expect(
        Object.fromEntries([...conversations].map(([id, all]) => [id, all.map(inShort)])),
      ).toEqual({
        'chat 7': ['clerk called stock {"item":"lamp"}', 'cashier called pay {"sum":3}'],
      });
    },
  );

  it.each([
    [
      'an answer to each request',
      'Done, I took care of it.',
      (i: number) => `Please book room ${i}.`,
      0,
    ],
    ['a loop with a program', 'Done, I took care of it.', () => 'Please continue.', 1],
  ])(
    '[READ9] tells what users say between the answers of %s',
    async (_, answer, request, trips) => {
      const text = (role: string, content: string): object => ({
        role,
        parts: [{ type: 'text', content }],
      });
      const history = [text('user', 'Help me with the rooms.')];
      const lines = Array.from({ length: 9 }, (_, i) => {
        const named = {
          'gen_ai.operation.name': 'chat',
          'gen_ai.conversation.id': 'chat 7',
          'gen_ai.agent.name': 'clerk',
          'gen_ai.input.messages': JSON.stringify(history),
          'gen_ai.output.messages': JSON.stringify([text('assistant', answer)]),
        };
        history.push(text('assistant', answer), text('user', request(i)));
        const spans = [span(`${i}`, '', named, i)];
        return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
      });
      // The same call again, as after a failure.
      const { conversations } = await read('spans.jsonl', [...lines, lines.at(-1)].join('\n'));
      const signals = conversations.get('chat 7') ?? [];
      const said = signals.filter(({ kind }) => kind !== 'usage').map(inShort);
      expect(said.slice(0, 4)).toEqual([
        'user human-input',
        'clerk message',
        'user message',
        'clerk message',
      ]);
      expect(said.filter((one) => one === 'user message')).toHaveLength(8);
      const breaker = new Breaker();
      for (const signal of signals) breaker.observe(signal);
      expect(breaker.counters.trips).toBe(trips);
    },
  );

  it('[READ9] tells nothing as said by users that other agents said', async () => {
    const told = ['A first draft.', 'Shorten it.', 'A second draft.', 'Good.'];
    const lines = told.map((answer, i) => {
      const prompt = ['Write a letter.', ...told.slice(0, i)].map((content, at) => ({
        role: at > 0 && (at - i) % 2 !== 0 ? 'assistant' : 'user',
        parts: [{ type: 'text', content }],
      }));
      const output = { role: 'assistant', parts: [{ type: 'text', content: answer }] };
      const named = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.agent.name': i % 2 === 0 ? 'writer' : 'critic',
        'gen_ai.input.messages': JSON.stringify(prompt),
        'gen_ai.output.messages': JSON.stringify([output]),
      };
      const spans = [span(`${i}`, '', named, i)];
      return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    });
    const { conversations } = await read('spans.jsonl', lines.join('\n'));
    const signals = conversations.get('t') ?? [];
    const said = signals.filter(({ kind }) => kind !== 'usage').map(inShort);
    const turns = ['writer message', 'critic message'];
    expect(said).toEqual(['user human-input', ...turns, ...turns]);
  });

  it('[READ9] takes spans in a ring of parents as they are', async () => {
    const spans = [span('a', 'b', {}, 1), span('b', 'a', TOOL, 2)];
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const { conversations } = await read('spans.jsonl', text);
    expect(conversations.get('t')?.map(inShort)).toEqual([
      'assistant called stock {"item":"lamp"}',
    ]);
  });

  it('[READ10] reads the steps of coding agents in both forms', async () => {
    const [blocks] = await told('session.jsonl');
    expect(blocks?.slice(0, 4)).toEqual([
      'user human-input',
      'assistant used 100+10',
      'assistant message',
      'assistant called bash {"command":"wc -l rows.csv"}',
    ]);
    const [items] = await told('session-items.jsonl');
    expect(items?.slice(0, 2)).toEqual([
      'user human-input',
      'assistant called stock {"item":"lamp"}',
    ]);
  });

  it('[READ11] reads the same by JSON pointers and by JSONata', async () => {
    const all = await Promise.all(
      ['mapped.map.json', 'mapped.jsonata'].map(async (map) => {
        const format = await mappedFormat(fixture(map));
        const found = [];
        for await (const one of readRecordings(fixture('mapped.jsonl'), {
          format,
          broken: () => {},
        })) {
          found.push(one);
        }
        return found.flatMap(({ id, signals }) =>
          signals.map((signal) => [id, signal.at, inShort(signal)]),
        );
      }),
    );
    expect(all[0]).toHaveLength(8);
    expect(all[0]?.[0]).toEqual(['t1', Date.parse('2025-06-02T09:00:00Z'), 'coder message']);
    expect(all[1]).toEqual(all[0]);
  });

  it('[READ11] refuses a map that is none', async () => {
    await expect(mappedFormat(fixture('nowhere.json'))).rejects.toThrow(BadInputError);
    await expect(mappedFormat(fixture('autogen-0.2.log'))).rejects.toThrow(BadInputError);
  });

  it('[READ12] refuses what no format recognises', async () => {
    await expect(read('prose', 'Dear reader,\nthe garden is open.\n')).rejects.toThrow(
      'prose: unknown format: the known ones are autogen-0.2-sqlite, signals, turns, ',
    );
    await expect(read(fixture('nowhere.jsonl'))).rejects.toThrow('no such file');
  });
});
