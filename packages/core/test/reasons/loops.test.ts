import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, guard, type Signal } from '../../src/index.ts';

/** The reason of the first trip, as it is and with `excerpts: false`. */
function reasonsOf(
  signals: readonly Signal[],
  options: BreakerOptions = {},
): (string | undefined)[] {
  return [true, false].map((excerpts) => {
    const breaker = new Breaker({ now: () => 0, excerpts, ...options });
    for (const signal of signals) breaker.observe(signal);
    return breaker.conversation().trip?.reason;
  });
}

/** Four rounds of a lap. */
function rounds(lap: string, stepMs?: number): Signal[] {
  return transcript(`${lap} `.repeat(4), stepMs === undefined ? {} : { stepMs });
}

const KEYED = { analysis: { tools: { search: { loopKey: () => 'k' } } } };

describe('the reason of a certain loop', () => {
  it.each([
    [
      'one call',
      'a>search({"q":1})=x',
      "'search' was called three times with the same arguments and the same result",
      'the same step was taken three times with the same result',
    ],
    [
      'two calls',
      'a>search({"q":1})=x a>open({})=y',
      "'search' and 'open' were called three times in turn with the same arguments and the same results",
      'the same two steps were taken three times with the same results',
    ],
    [
      'two calls of one tool',
      'a>search({"q":1})=x a>search({"q":2})=y',
      "the same two calls of 'search' were made three times with the same results",
      'the same two steps were taken three times with the same results',
    ],
    [
      'one run of code',
      'a!exit0(f):1',
      'the same code was run three times with the same result',
      'the same step was taken three times with the same result',
    ],
    [
      'two runs of code',
      'a!exit0(f):1 a!exit0(g):2',
      'the same two pieces of code were run three times with the same results',
      'the same two steps were taken three times with the same results',
    ],
    [
      'one message',
      'writer:"Here is the draft."',
      'writer said the same three times',
      'the same message was sent three times',
    ],
    [
      'two messages of one agent',
      'writer:"Here is the draft." writer:"Is it any good?"',
      'writer said the same two things three times',
      'the same two messages were sent three times',
    ],
    [
      'a pair that talks',
      'writer:"Here is the draft." critic:"Please improve it."',
      'writer and critic said the same to each other three times',
      'the same two messages were sent three times',
    ],
    [
      'a ring that talks',
      'writer:"Here is the draft." critic:"Please improve it." editor:"It reads well to me."',
      'writer, critic and editor said the same in turn three times',
      'the same three messages were sent three times',
    ],
    [
      'a pair with longer laps',
      'writer:"Here is the draft." critic:"Please improve it." writer:"Now it is better." critic:"Not by much."',
      'writer and critic exchanged the same four messages three times',
      'the same four messages were sent three times',
    ],
    [
      'handoffs',
      'writer->critic:"Your turn." critic->writer:"No, yours."',
      'writer and critic took the same two steps three times',
      'the same two steps were taken three times',
    ],
    [
      'steps of several kinds',
      'writer:"Here is the draft." critic>search({})=x coder!exit0(f):1',
      "the same three steps were taken three times with the same results: a message of writer, a call of 'search' and a run of code",
      'the same three steps were taken three times with the same results',
    ],
  ])('[WHY1] tells of %s what came round, and how often', (_, lap, reason, unquoted) => {
    expect(reasonsOf(rounds(lap))).toEqual([reason, unquoted]);
  });

  it('[WHY1] says so where steps come round out of turn', () => {
    const calls = [1, 2, 1, 2, 1, 1].map((i) => `a>t${i}({})=x`).join(' ');
    expect(reasonsOf(transcript(calls))).toEqual([
      "the last six calls were the same two over and over with the same results: 't1' and 't2'",
      'the last six steps were the same two over and over with the same results',
    ]);
  });

  it('[WHY1] says so of runs of code, too', () => {
    const runs = 'fgfgff'.replace(/./g, 'a!exit0($&):1 ');
    expect(reasonsOf(transcript(runs))[0]).toBe(
      'the last six runs of code were the same two over and over with the same results',
    );
  });

  it('[WHY1] counts every poll of one that waits', () => {
    const polls = transcript('a>build({})=running '.repeat(99), { stepMs: 30_000 });
    expect(reasonsOf(polls)[0]).toBe(
      "'build' was called 64 times with the same arguments and the same result",
    );
  });

  it('[WHY1] says nothing of arguments and results where a declared key decides', () => {
    expect(reasonsOf(rounds('a>search({"q":1})=x'), KEYED)).toEqual([
      "the same call of 'search' was made three times",
      'the same step was taken three times',
    ]);
    expect(reasonsOf(rounds('a>search({"q":1})=x a>open({})=y'), KEYED)[0]).toBe(
      "the same two calls of 'search' and 'open' were made three times",
    );
  });

  it('[WHY1] names four of many tools, and stays within its length', () => {
    const tools = Array.from({ length: 7 }, (_, i) => `${'long_'.repeat(20)}${i}`);
    const signals = rounds(tools.map((tool, i) => `${'ab'[i % 2]}>${tool}({})=x${i}`).join(' '));
    const [reason = ''] = reasonsOf(signals, { repetition: { stopAt: 1000 } });
    expect(reason).toMatch(/^('long_[^']{1,60}', ){3}'[^']*' and three more were called/);
    expect(reason.length).toBeLessThanOrEqual(400);
  });

  it('[WHY1] tells of a function that is guarded which call would be one too many', () => {
    const messageOf = (call: () => unknown): string => {
      for (let i = 0; i < 2; i++) {
        try {
          call();
        } catch {}
      }
      try {
        return String(call());
      } catch (error) {
        return (error as Error).message;
      }
    };
    const works = guard((q: string) => q, { name: 'search' });
    expect(messageOf(() => works('a'))).toBe(
      "'search' would be called for the third time with the same arguments; the result was the same each time",
    );
    const fails = guard((_: string) => fail(), { name: 'search' });
    expect(messageOf(() => fails('a'))).toBe(
      "'search' would be called for the third time with the same arguments; it failed the same way each time",
    );
    const keyed = guard((q: string) => q, { name: 'search', signature: () => 'k' });
    expect(messageOf(() => keyed('a'))).toBe(
      "the same call of 'search' would be made for the third time",
    );
    const open = guard((q: string) => q, { name: 'open', loop: { repeats: 2 } });
    open('a');
    expect(() => open('a')).toThrow(
      "'open' would be called for the second time with the same arguments",
    );
  });
});

describe('the reason of suspected talk', () => {
  const stall = (agents: string): Signal[] =>
    Array.from({ length: 60 }, (_, at) => ({
      kind: 'message',
      at,
      agent: agents[at % agents.length] as string,
      text: `We ${'so '.repeat(at)}wait for the report today.`,
    }));

  it('[WHY1] names who adds nothing new', () => {
    expect(reasonsOf(stall('A'))[0]).toMatch(
      /^A has added almost nothing new for a while \(suspicion score [\d.]+, limit 10\)$/,
    );
    expect(reasonsOf(stall('AB'))[0]).toBe(
      'B and A took turns six times and added almost nothing new',
    );
  });
});

function fail(): never {
  throw new Error('no');
}
