import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions } from '../../../src/index.ts';
import { message, usage } from '../../support/signals.ts';
import { warningsOf } from '../../support/warnings.ts';

/** A breaker, and what its team is told. */
function telling(options: BreakerOptions) {
  const breaker = new Breaker({ now: () => 0, tellLimits: true, ...options });
  const told = warningsOf(breaker);
  breaker.on('error', ({ error }) => told.push(String(error)));
  return { breaker, told };
}

/** What a team is told that says something new until it is stopped. */
function toldIn(turns: number, options: BreakerOptions): readonly string[] {
  const { breaker, told } = telling(options);
  for (let i = 1; i <= turns; i++) breaker.observe(message('a', `Row ${i * 31} is in t${i}.`));
  return told;
}

const call = (i: number) =>
  ({
    kind: 'tool-call',
    agent: 'a',
    tool: 'look',
    args: { i },
    result: `row ${i}`,
    at: i,
  }) as const;

const SILENT = { repetition: false, speakerCycle: false } as const;

describe('a countdown', () => {
  it('[LIM17] tells the team of a half, a quarter, an eighth and the last', () => {
    expect(toldIn(30, { maxMessages: 30 })).toEqual([
      '15 of 30 messages are left',
      '7 of 30 messages are left',
      '3 of 30 messages are left',
      '1 of 30 messages is left',
    ]);
    expect(toldIn(4, { maxTurns: 4 })).toEqual(['2 of 4 turns are left', '1 of 4 turns is left']);
    expect(toldIn(1, { maxTurns: 1 })).toEqual([]);
  });

  it('[LIM17] tells a team nothing that uses less than half of its limits, or was not to be told', () => {
    expect(toldIn(14, { maxMessages: 30 })).toEqual([]);
    expect(toldIn(29, { maxMessages: 30, tellLimits: false })).toEqual([]);
  });

  it('[LIM17] warns as a limit, with the count so far', () => {
    const { breaker } = telling({ maxMessages: 8 });
    const found: unknown[] = [];
    breaker.on('finding', ({ finding }) => found.push(finding));
    for (let i = 1; i <= 4; i++) breaker.observe(message('a', `Row ${i * 31} is in t${i}.`));
    const evidence = { agents: ['a'], count: 4, limit: 8, subject: 'number of messages' };
    expect(found).toMatchObject([{ level: 'warn', kind: 'limit', basis: 'declared', evidence }]);
  });

  it('[LIM17] tells nothing of what is no number of steps', () => {
    const { breaker, told } = telling({
      maxRunMs: 100,
      historyDrift: { maxTokens: 40 },
      executionStorm: { maxInARow: 2 },
      speakerCycle: { samePair: { times: 4 } },
    });
    for (let i = 0; i < 6; i++) breaker.observe(message('ab'.charAt(i % 2), `Row ${i}.`, i * 15));
    const error = { message: 'no row' };
    breaker.observe({ kind: 'tool-call', agent: 'a', tool: 'look', args: {}, error, at: 90 });
    breaker.observe(usage({ at: 95, inputTokens: 35 }));
    expect(told).toEqual([]);
  });

  it('[LIM17] tells of two limits in one sentence', () => {
    expect(toldIn(2, { maxMessages: 4, maxTurns: 4 })).toEqual([
      '2 of 4 messages are left and 2 of 4 turns are left',
    ]);
  });

  it('[LIM17] tells of model calls, tool calls and calls of single tools', () => {
    const { breaker, told } = telling({
      maxModelCalls: 2,
      maxToolCalls: 6,
      limits: { tools: { look: { maxCalls: 4 } } },
    });
    for (const i of [1, 2, 3]) breaker.observe(call(i));
    breaker.observe(usage());
    expect(told).toEqual([
      "2 of 4 calls of 'look' are left",
      "3 of 6 tool calls are left and 1 of 4 calls of 'look' is left",
      '1 of 2 model calls is left',
    ]);
  });

  it('[LIM17] names no tool with excerpts off', () => {
    const { breaker, told } = telling({
      excerpts: false,
      limits: { tools: { look: { maxCalls: 2 } } },
    });
    breaker.observe(call(1));
    expect(told).toEqual(['1 of 2 calls of a tool is left']);
  });

  it('[LIM17] tells each part once, also a team that says nothing new', () => {
    const { breaker, told } = telling({ maxMessages: 8, ...SILENT });
    for (let i = 0; i < 7; i++) breaker.observe(message('a', 'The same.'));
    expect(told).toHaveLength(3);
  });

  it('[LIM17] tells what is left of money and tokens', () => {
    const money = telling({ budget: { maxUsd: 0.008 } });
    for (let i = 0; i < 8; i++) money.breaker.observe(usage({ requestId: `${i}` }));
    expect(money.told).toEqual([
      '50% of the budget is spent: $0.0040 of $0.0080',
      '75% of the budget is spent: $0.0060 of $0.0080',
      '87% of the budget is spent: $0.0070 of $0.0080',
    ]);
    const tokens = telling({ budget: { maxTokens: 30, warnAt: 0.4 } });
    tokens.breaker.observe(usage());
    expect(tokens.told).toEqual(['50% of the budget is spent: 15 tokens of 30 tokens']);
  });

  it('[LIM17] still tells of a limit that is reached where limits only warn', () => {
    const { breaker, told } = telling({ maxMessages: 2, reaction: 'warn', ...SILENT });
    for (const text of ['Hi.', 'Hi.', 'Hi.']) breaker.observe(message('a', text));
    expect(told).toEqual([
      '1 of 2 messages is left',
      'the limit of 2 messages is reached (maxMessages)',
    ]);
  });

  it('[LIM6] is refused unless it is true or false', () => {
    const tellLimits = 'often' as never;
    expect(() => new Breaker({ tellLimits })).toThrow(
      expect.objectContaining({ option: 'tellLimits' }),
    );
  });
});
