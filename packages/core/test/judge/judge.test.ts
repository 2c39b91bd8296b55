import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type Confirm, type Signal } from '../../src/index.ts';
import type { Question } from '../../src/kit.ts';
import { judged, sayingDetector } from '../support/judge.ts';
import { message, usage } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';

/** The steps at which a judge that always says no is asked, counted from 1. */
function askedAt(signals: readonly Signal[], options: object = {}): number[] {
  const steps: number[] = [];
  let step = 0;
  const confirm: Confirm = () => {
    steps.push(step);
    return 0;
  };
  const breaker = new Breaker({ judge: { confirm, ...options } });
  for (const signal of signals) {
    step++;
    breaker.observe(signal);
  }
  return steps;
}

const stale = Array.from({ length: 12 }, (_, i) => message('a', staleText(i), i));

describe('when a judge is asked', () => {
  it('[JDG1] is first when staleness has added up to six tenths of askAt, from the fourth step on', () => {
    expect(askedAt(stale)[0]).toBe(4);
    expect(askedAt(stale, { askAt: 7 })[0]).toBe(5);
    expect(askedAt(stale, { askAt: 0.1 })[0]).toBe(4);
  });

  it('[JDG20] is later after each no', () => {
    const [first = 0, second = 0, third = 0, fourth = 0] = askedAt(
      Array.from({ length: 60 }, (_, i) => message('a', staleText(i), i)),
      { askAt: 4 },
    );
    expect(second - first).toBeGreaterThanOrEqual(first - 1);
    expect(third - second).toBeGreaterThan(second - first);
    expect(fourth - third).toBeGreaterThan(third - second);
  });

  it('[JDG21] is as soon as a detector suspects the team, but not within four steps of the last question', () => {
    const { breaker, say } = judged({ judge: { confirm: () => 0.3, askAt: 1000 } });
    for (let i = 0; i < 3; i++) say(`Row ${4711 + i} is here.`);
    expect(breaker.judged.questions).toBe(0);
    say('trip');
    expect(breaker.judged.questions).toBe(1);
    for (let i = 0; i < 3; i++) say('trip');
    expect(breaker.judged.questions).toBe(1);
    say('trip');
    expect(breaker.judged.questions).toBe(2);
  });

  /** Messages that are alike, each with something new in it. */
  const items = Array.from({ length: 40 }, (_, i) =>
    message('ab'.charAt(i % 2), `Please look at the draft once more and tell me, word${i * 37}`),
  );

  it('[JDG1] is within twenty steps of what is alike each time, whatever is new in it', () => {
    expect(askedAt(items)[0]).toBeLessThanOrEqual(20);
  });

  it('[JDG20] is sooner after an answer that was not sure', () => {
    const questions = (probability: number): number => {
      const breaker = new Breaker({ judge: () => probability });
      for (const signal of items) breaker.observe(signal);
      return breaker.judged.questions;
    };
    expect(questions(0.3)).toBeGreaterThan(questions(0));
  });

  it('[JDG2] is at most maxQuestions times; then the breaker decides alone', () => {
    const { breaker, say } = judged({ judge: { confirm: () => 0, maxQuestions: 1 } });
    for (let i = 0; i < 5; i++) say(staleText(i));
    expect(breaker.judged.questions).toBe(1);
    expect(breaker.conversation().trip).toBeUndefined();
    for (let i = 5; i < 16; i++) say(staleText(i));
    expect(breaker.judged.questions).toBe(1);
    expect(breaker.conversation().trip?.kind).toBe('speaker-cycle');
  });

  it('[JDG3] is shown the task, and copies of the latest 40 signals without bookkeeping', () => {
    const questions: Question[] = [];
    const breaker = new Breaker({
      repetition: false,
      judge: {
        confirm: (question) => {
          questions.push(question);
          return 0;
        },
        askAt: 100,
      },
    });
    const said = Array.from({ length: 70 }, (_, i) => message('a', staleText(i)));
    const signals: Signal[] = [
      { kind: 'human-input', at: 0, agent: 'p', text: 'Plan the parade.' },
      usage({ inputTokens: 90_000 }),
      ...said,
    ];
    for (const signal of signals) breaker.observe(signal);
    const [question] = questions;
    expect(question?.task).toBe('Plan the parade.');
    expect(question?.signals).toHaveLength(40);
    expect(question?.signals.every(({ kind }) => kind === 'message')).toBe(true);
    expect(question?.signals.at(-1)).not.toBe(said.at(-1));
  });
});

describe('what follows from an answer', () => {
  const loop = Array.from({ length: 30 }, (_, i) => message('AB'.charAt(i % 2), staleText(i), i));

  function tripOf(confirm: Confirm, options: object = {}) {
    const breaker = new Breaker({ judge: { confirm, ...options } });
    for (const signal of loop) breaker.observe(signal);
    return breaker.conversation().trip;
  }

  it('[JDG4] is a stop if it is sure, with the probability and the reason of the judge', () => {
    const trip = tripOf(() => ({ probability: 0.83, reason: 'They wait for each other.' }));
    expect(trip).toMatchObject({
      kind: 'speaker-cycle',
      index: 3,
      reason:
        "the judge is 83% sure that the team is going in circles: 'They wait for each other.'",
      agents: ['A', 'B'],
      evidence: { count: 0.83, limit: 0.75, subject: 'probability' },
    });
    expect(trip?.evidence.signals.length).toBeGreaterThan(1);
  });

  it('[JDG4] is nothing while the judge doubts it, however often the same words come', () => {
    expect(tripOf(() => 0.3)).toBeUndefined();
    expect(tripOf(() => 0.3, { stopFrom: 0.3 })?.kind).toBe('speaker-cycle');
    expect(tripOf(() => false)).toBeUndefined();
    expect(tripOf(() => true)?.kind).toBe('speaker-cycle');
  });

  it('[JDG22] is a second question two steps later if it is likely, and a stop if that is, too', () => {
    const answers = [0.6, 0.6];
    const asked: number[] = [];
    let observed = 0;
    const breaker = new Breaker({
      judge: () => {
        asked.push(observed);
        return answers.shift() ?? 0;
      },
    });
    for (const signal of loop.slice(0, 8)) {
      observed++;
      breaker.observe(signal);
    }
    expect(asked).toEqual([4, 6]);
    expect(breaker.conversation().trip).toMatchObject({ basis: 'judged', index: 5 });
  });

  it('[JDG22] is nothing if it was likely, and the answers after it are not', () => {
    const answers = [0.6, 0.15];
    expect(tripOf(() => answers.shift() ?? 0.15)).toBeUndefined();
  });

  it('[JDG22] is a stop once several answers in doubt have added up', () => {
    const trip = tripOf(() => ({ probability: 0.35, reason: 'They repeat themselves.' }));
    expect(trip).toMatchObject({
      basis: 'judged',
      reason:
        "all its answers taken together, the judge is 76% sure that the team is going in circles: 'They repeat themselves.'",
    });
    expect(trip?.evidence.count).toBeGreaterThanOrEqual(0.75);
  });

  it('[JDG5] never keeps facts from stopping the team', () => {
    const calls = transcript('A>orders(all)=["table, 14 pages","chair, 9 pages"] '.repeat(3));
    const breaker = new Breaker({ judge: () => 0 });
    for (const signal of calls) breaker.observe(signal);
    expect(breaker.conversation().trip?.kind).toBe('repetition');
    const limited = new Breaker({ judge: () => 0, maxMessages: 1 });
    expect(limited.observe(message('a', 'hello'))?.kind).toBe('limit');
    const { say } = judged({ judge: () => 0, detectors: [() => sayingDetector('certain')] });
    expect(say('trip')?.kind).toBe('custom:said');
  });

  it('[JDG6] is told as an event, and costs count in the budget and are kept apart', () => {
    const usage = { inputTokens: 1800, outputTokens: 40, costUsd: 0.25 };
    const answers: number[] = [];
    const breaker = new Breaker({
      judge: () => ({ probability: 0.1, usage }),
      budget: { maxUsd: 0.4 },
    });
    breaker.on('answer', ({ probability }) => answers.push(probability));
    for (const signal of stale) breaker.observe(signal);
    expect(answers).toEqual([0.1, 0.1]);
    expect(breaker.judged).toEqual({
      questions: 2,
      cost: { nanoUsd: 500_000_000, tokens: 3680, unpricedTokens: 0, isEstimate: false },
    });
    expect(breaker.cost.nanoUsd).toBe(500_000_000);
    expect(breaker.conversation().trip?.kind).toBe('budget');
  });

  it('[BUD7] is no part of a running total of the team', async () => {
    const usage = { inputTokens: 1800, outputTokens: 40, costUsd: 0.25 };
    const breaker = new Breaker({ judge: () => ({ probability: 0.1, usage }) });
    for (const signal of stale) breaker.observe(signal);
    for (const _ of [1, 2]) await breaker.trackCost({ totalUsd: 1 });
    const { cost, judged } = breaker;
    expect([cost.nanoUsd, judged.cost.nanoUsd]).toEqual([1_500_000_000, 500_000_000]);
  });

  it('[JDG6] counts tokens alone where the price is unknown', () => {
    const usage = { inputTokens: 1800, outputTokens: 40, costUsd: null };
    const breaker = new Breaker({
      judge: () => ({ probability: 0.1, usage }),
      budget: { maxUsd: 0.01 },
    });
    for (const signal of stale) breaker.observe(signal);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.judged.cost.unpricedTokens).toBeGreaterThan(0);
  });

  it.each([undefined, -1, Number.NaN, '0.25'])(
    '[JDG6] counts tokens alone where the price is %s',
    (costUsd) => {
      const usage = { inputTokens: 1800, outputTokens: 40, costUsd } as never;
      const breaker = new Breaker({ judge: () => ({ probability: 0.1, usage }) });
      for (const signal of stale) breaker.observe(signal);
      expect(breaker.judged.cost).toMatchObject({ nanoUsd: 0, tokens: 3680, unpricedTokens: 3680 });
    },
  );

  it.each([
    null,
    7,
    {},
    { inputTokens: -1, outputTokens: 1, costUsd: 1 },
    { inputTokens: 1, outputTokens: 0.5, costUsd: 1 },
  ])('[JDG6] tells counts of tokens that are none, and takes the answer: %j', (given) => {
    const answers: number[] = [];
    const errors: unknown[] = [];
    const judge = () => ({ probability: 0.1, usage: given as never });
    const breaker = new Breaker({ judge });
    breaker.on('answer', ({ probability }) => answers.push(probability));
    breaker.on('error', ({ error, during }) => errors.push([during, String(error)]));
    for (const signal of stale) breaker.observe(signal);
    expect(answers).toEqual([0.1, 0.1]);
    expect(errors[0]).toEqual(['judge', expect.stringContaining('usage.inputTokens')]);
    expect(breaker.judged.cost.tokens).toBe(0);
  });

  it('[JDG7] is that the breaker decides alone where the judge fails or answers nonsense', () => {
    for (const answer of [1.5, Number.NaN, 'yes', {}, { probability: '1' }, null]) {
      const { say, errors, breaker } = judged({ judge: (() => answer) as unknown as Confirm });
      for (let i = 0; i < 16; i++) say(staleText(i));
      expect(errors[0]).toEqual(['judge', expect.any(TypeError)]);
      expect(breaker.conversation().trip?.kind).toBe('speaker-cycle');
    }
    const { say, errors } = judged({
      judge: () => {
        throw new Error('down');
      },
    });
    for (let i = 0; i < 5; i++) say(staleText(i));
    expect(errors).toEqual([['judge', new Error('down')]]);
    expect(say('trip')?.kind).toBe('custom:said');
  });

  it.each<[string, () => unknown]>([
    [
      'is none',
      () => ({ probability: 7, usage: { inputTokens: 900, outputTokens: 9, costUsd: 1 } }),
    ],
    [
      'is an error',
      () => {
        const usage = { inputTokens: 900, outputTokens: 9, costUsd: 1 };
        throw Object.assign(new Error('garbage'), { usage });
      },
    ],
  ])('[JDG26] is paid for an answer that %s', (_, answer) => {
    const { say, errors, breaker } = judged({ judge: answer as Confirm });
    for (let i = 0; i < 5; i++) say(staleText(i));
    expect(errors).toHaveLength(1);
    expect(breaker.judged).toMatchObject({ questions: 1, cost: { tokens: 909, nanoUsd: 1e9 } });
    expect(breaker.cost.tokens).toBe(909);
  });

  it.each<[unknown, string]>([
    [5, 'judge'],
    [{ confirm: 'me' }, 'judge'],
    [{ confirm: () => 0, askAt: 0 }, 'judge.askAt'],
    [{ confirm: () => 0, stopFrom: 1.1 }, 'judge.stopFrom'],
    [{ confirm: () => 0, maxQuestions: -1 }, 'judge.maxQuestions'],
    [{ confirm: () => 0, timeoutMs: 0 }, 'judge.timeoutMs'],
    [{ confirm: () => 0, blocking: 'yes' }, 'judge.blocking'],
  ])('[JDG8] refuses %j and names the option', (judge, option) => {
    expect(() => new Breaker({ judge } as never)).toThrow(expect.objectContaining({ option }));
  });
});
