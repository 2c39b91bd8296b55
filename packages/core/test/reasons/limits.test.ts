import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../src/index.ts';

function reasonOf(
  signals: readonly Signal[],
  options: BreakerOptions,
): readonly (string | undefined)[] {
  return [true, false].map((excerpts) => {
    const breaker = new Breaker({ now: () => 0, excerpts, ...options });
    for (const signal of signals) breaker.observe(signal);
    return breaker.conversation().trip?.reason;
  });
}

const TALK = transcript('a:1 b:2 a:3 b:4 a:5 b:6 a:7 b:8');
const PROMPTS = transcript(Array.from({ length: 12 }, (_, i) => `a#${1000 * (i + 1)}/1`).join(' '));
const FAILURES = transcript('a>f({})!x1 a>g({})!y2 a>h({})!z3', { stepMs: 9000 });
const POLLS = transcript('a>build({})=running '.repeat(9), { stepMs: 10_000 });

describe('the reason of a declared limit', () => {
  it.each<[string, readonly Signal[], BreakerOptions]>([
    ['the limit of 1 message is reached (maxMessages)', TALK, { maxMessages: 1 }],
    ['the limit of 2 turns is reached (maxTurns)', TALK, { maxTurns: 2 }],
    ['the limit of 3 model calls is reached (maxModelCalls)', PROMPTS, { maxModelCalls: 3 }],
    ['the limit of 2 tool calls is reached (maxToolCalls)', FAILURES, { maxToolCalls: 2 }],
    ['the run has used up its time limit of 2.5 s (maxRunMs)', TALK, { maxRunMs: 2500 }],
    [
      'the history has grown to 4,000 tokens; the limit is 3,500 (historyDrift.maxTokens)',
      PROMPTS,
      { historyDrift: { maxTokens: 3500 } },
    ],
    [
      'tool calls or code runs failed three times in a row (executionStorm.maxInARow)',
      FAILURES,
      { executionStorm: { maxInARow: 3 } },
    ],
    [
      'b spoke after a three times (speakerCycle.samePair)',
      TALK,
      { speakerCycle: { samePair: { times: 3 } } },
    ],
    ['more than 2 messages within 90 s (rate.rates)', TALK, rate('message', 2, 90_000)],
    ['more than 1 tool call within 30 min (rate.rates)', FAILURES, rate('tool-call', 1, 1_800_000)],
    [
      'a nested chat was started at depth 1; the limit is 0 (nestedCascade.maxDepth)',
      transcript('a{c:x'),
      { nestedCascade: { maxDepth: 0 } },
    ],
    [
      '1 nested chat was started; the limit is 0 (nestedCascade.maxTotal)',
      transcript('a{c:x'),
      { nestedCascade: { maxTotal: 0 } },
    ],
  ])('[WHY3] is: %s', (reason, signals, options) => {
    expect(reasonOf(signals, options)).toEqual([reason, reason]);
  });

  it('[WHY3] quotes what was said unless excerpts are off', () => {
    const stop = { stopTexts: [{ text: '8' }] };
    expect(reasonOf(TALK, stop)).toEqual([
      "the stop text '8' was said (stopTexts)",
      'a stop text was said (stopTexts)',
    ]);
    const polls = { analysis: { tools: { build: { polls: { maxWaitMs: 60_000 } } } } };
    expect(reasonOf(POLLS, polls)).toEqual([
      "'build' gave the same answer for longer than 60 s (polls.maxWaitMs)",
      'a tool gave the same answer for longer than 60 s (polls.maxWaitMs)',
    ]);
  });
});

function rate(signal: Signal['kind'], max: number, perMs: number): BreakerOptions {
  return { rate: { rates: [{ signal, max, perMs }] } };
}
