import { parsePolicy } from '@teamfuse/config';
import {
  Breaker,
  type BreakerOptions,
  type FunctionGuardOptions,
  guard,
  isTripped,
} from '@teamfuse/core';
import { NO_DETECTORS, type ToolOptions } from '@teamfuse/core/detectors';
import { type JsonValue, toJson } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { installOn } from '../src/index.ts';

/** One call: what it is asked, and what comes of it. */
interface Call {
  readonly args: readonly unknown[];
  readonly gives: () => unknown;
  /** Milliseconds before it. */
  readonly after?: number;
}

/** What is declared, in the words of a guard and in those of a breaker. */
interface Declared {
  readonly guard?: FunctionGuardOptions;
  readonly breaker?: BreakerOptions;
  readonly tool?: ToolOptions;
}

type Fn = (...args: readonly unknown[]) => unknown;
type Way = (fn: Fn, declared: Declared, now: () => number) => Fn;

const TOOL = 'tool';

/** What a guard decides by, as the options of a breaker. */
function optionsOf({ breaker, tool = {} }: Declared): BreakerOptions {
  const { analysis, ...others } = breaker ?? {};
  return {
    ...NO_DETECTORS,
    repetition: { limit: 3, stopAt: Number.MAX_VALUE },
    cooldownMs: 0,
    ...others,
    analysis: { ...analysis, tools: { [TOOL]: tool } },
  };
}

const WAYS: Readonly<Record<string, Way>> = {
  'guard()': (fn, declared, now) => guard(fn, { name: TOOL, ...declared.guard, now }),
  'installOn()': (fn, declared, now) => {
    const { cooldownMs, analysis, ...rest } = optionsOf(declared);
    const { repetition } = rest;
    const limit = repetition === false ? 3 : (repetition?.limit ?? 3);
    const lines = [
      `cooldownMs = ${cooldownMs}`,
      'speakerCycle = false',
      'executionStorm = false',
      'historyDrift = false',
      'nestedCascade = false',
      'rate = false',
      `repetition = { limit = ${limit}, stopAt = 1e300 }`,
    ];
    const policy = parsePolicy(lines.join('\n'), 'teamfuse.toml');
    const tools = installOn({ [TOOL]: fn }, policy, { now, ...(analysis && { analysis }) });
    return tools.guarded[TOOL] as Fn;
  },
  'breaker.run()': (fn, declared, now) => {
    const breaker = new Breaker({ ...optionsOf(declared), now });
    return (...args) => {
      const call = { agent: 'code', tool: TOOL, args: toJson(args), at: now() };
      return breaker.run({ kind: 'tool-call', ...call }, () => fn(...args));
    };
  },
};

/** Makes the calls one after another: `1` for each that ran, `-` for each that was refused. */
async function answers(way: Way, calls: readonly Call[], declared: Declared): Promise<string> {
  let at = 1000;
  let current = calls[0] as Call;
  let runs = 0;
  const fn = way(
    () => {
      runs++;
      return current.gives();
    },
    declared,
    () => at,
  );
  let told = '';
  for (const call of calls) {
    current = call;
    at += call.after ?? 100;
    const before = runs;
    try {
      await fn(...call.args);
    } catch (error) {
      if (runs === before && !isTripped(error)) throw error;
    }
    told += runs > before ? '1' : '-';
  }
  return told;
}

const times = (count: number, make: (i: number) => Call): Call[] =>
  Array.from({ length: count }, (_, i) => make(i));
const call = (arg: unknown, gives: unknown = 'same', after = 100): Call => ({
  args: [arg],
  gives: () => gives,
  after,
});
const failing = (arg: unknown, message: string, after = 100): Call => ({
  args: [arg],
  gives: () => {
    throw new Error(message);
  },
  after,
});
const refusing = (arg: unknown, status: number, message: string): Call => ({
  args: [arg],
  gives: () => {
    throw Object.assign(new Error(message), { status });
  },
});
const inTurn = (names: string, count: number): Call[] =>
  times(count, (i) => call(names[i % names.length], `of ${names[i % names.length]}`));

const SIGNED: Declared = {
  guard: { signature: (query) => String(Object(query).status) },
  tool: { loopKey: (args) => (args as { status: JsonValue }[])[0]?.status ?? null },
};
const POLLED: Declared = {
  guard: { polls: { maxWaitMs: 60_000 } },
  tool: { polls: { maxWaitMs: 60_000, minPauseMs: 0 } },
};
const SHORT: Declared = {
  guard: { forgetAfterMs: 5000 },
  breaker: { analysis: { forgetAfterMs: 5000 } },
};

const PATTERNS: readonly (readonly [string, string, readonly Call[], Declared?])[] = [
  ['the same call, the same result', '11----', times(6, () => call('a'))],
  ['the same call, another result', '111111', times(6, (i) => call('a', i))],
  ['another call, the same result', '111111', times(6, (i) => call(i))],
  ['A and B in turn', '11111---', inTurn('ab', 8)],
  ['a ring of three', '11111111---', inTurn('abc', 11)],
  ['a ring of eight', `${'1'.repeat(23)}--`, inTurn('abcdefgh', 25)],
  ['two calls in no order', '11111---', [...'abbaabab'].map((name) => call(name))],
  ['pages, all empty', '1'.repeat(20), times(20, (page) => call({ page }, []))],
  ['pages with other rows', '1'.repeat(20), times(20, (page) => call({ page }, [page]))],
  ['the same error', '11----', times(6, () => failing('a', 'no such table'))],
  ['another error each time', '111111', times(6, (i) => failing('a', `no such table t${i}x`))],
  ['other calls, the same error', '111111', times(6, (i) => failing(i, 'no such table'))],
  ['an error, then a result', '1111', [failing('a', 'down'), ...times(3, (i) => call('a', i))]],
  ['a result that moves', '111111', times(6, (i) => call('a', { percent: 10 * i }))],
  ['a result with another time', '11----', times(6, (i) => call('a', `2026-11-22T10:00:1${i}Z`))],
  ['arguments with another id', '111111', times(6, (i) => call({ id: `3f9a6c1e77b${i}` }))],
  [
    'fields in another order',
    '11-',
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 1, b: 2 },
    ].map((one) => call(one)),
  ],
  [
    'a signature, other nonces',
    '11----',
    times(6, (i) => call({ status: 'open', nonce: i }, i)),
    SIGNED,
  ],
  [
    'a signature, other errors',
    '11----',
    times(6, (i) => failing({ status: 'open' }, `retry in ${7 * i} s`)),
    SIGNED,
  ],
  ['another signature each time', '111111', times(6, (status) => call({ status })), SIGNED],
  ['a poll that waits', '1'.repeat(10), times(10, () => call('job', 'pending', 5000)), POLLED],
  ['a poll that moves', '1'.repeat(10), times(10, (i) => call('job', i >> 2, 50)), POLLED],
  [
    'looks without a declaration, one in 5 seconds',
    '11--1-',
    times(6, () => call('job', 'pending', 5000)),
  ],
  [
    'looks without a declaration, slow',
    '1'.repeat(10),
    times(10, () => call('job', 'pending', 20_000)),
  ],
  [
    'a failure tried again after a wait',
    '111',
    times(3, (i) => (i < 2 ? failing('a', 'slow down', 20_000) : call('a', 'ok', 20_000))),
  ],
  [
    'an error with a status, whatever it says',
    '11----',
    times(6, (i) => refusing('a', 402, `$${i * 7} more`)),
  ],
  ['an error with another status', '1111', [402, 500, 402, 404].map((s) => refusing('a', s, ''))],
  ['other calls, the same status', '111111', times(6, (i) => refusing(i, 404, 'no page'))],
  ['equal maps as arguments', '11----', times(6, () => call(new Map([['a', 1]])))],
  ['other maps as arguments', '111111', times(6, (i) => call(new Map([['a', i]])))],
  ['equal requests as arguments', '11----', times(6, () => call(new Request('http://localhost/')))],
  ['maps as results', '11----', times(6, () => call('a', new Map([['a', 1]])))],
  ['streams as arguments', '111111', times(6, () => call(new ReadableStream()))],
  ['equal objects', '11----', times(6, () => call({ a: [1, { b: 2 }] }, { c: 3 }))],
  ['dates as arguments', '11-1', [1, 1, 1, 2].map((ms) => call(new Date(ms)))],
  [
    'new calls between refused ones',
    '11-11111',
    [...'aaabacad'].map((name) => call(name, `of ${name}`)),
  ],
  [
    'a new call between',
    '11111111',
    [...'aabaacaa'].map((name, i) => call(name, `of ${name}${name === 'a' ? i >> 1 : i}`)),
  ],
  ['hourly', '111111', times(6, () => call('Oslo', 'rain', 3_600_000))],
  ['older than what is declared', '1'.repeat(8), times(8, () => call('a', 'same', 3000)), SHORT],
];

describe('the three ways to guard a function', () => {
  for (const [pattern, expected, calls, declared = {}] of PATTERNS) {
    it(`[ION21] give the same answers: ${pattern}`, async () => {
      const given: Record<string, string> = {};
      for (const [name, way] of Object.entries(WAYS)) {
        given[name] = await answers(way, calls, declared);
      }
      expect(given).toEqual(Object.fromEntries(Object.keys(WAYS).map((name) => [name, expected])));
    });
  }

  it('[ION21] let equal calls that run beside each other run, and refuse the next one', async () => {
    for (const way of Object.values(WAYS)) {
      let runs = 0;
      const fn = way(
        async () => {
          runs++;
          await new Promise(setImmediate);
          return 'same';
        },
        {},
        () => 1000,
      );
      // A trip ends the wait of breaker.run() for those that are under way.
      await Promise.allSettled(Array.from({ length: 4 }, () => fn('a')));
      expect(runs).toBe(4);
      await expect((async () => fn('a'))()).rejects.toThrow();
      expect(runs).toBe(4);
    }
  });
});
