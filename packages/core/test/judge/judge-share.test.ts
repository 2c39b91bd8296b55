import { describe, expect, it } from 'vitest';
import { Breaker, type Signal } from '../../src/index.ts';
import type { JudgeOptions } from '../../src/kit.ts';
import { sayingDetector } from '../support/judge.ts';
import { message, usage } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';

/** What one answer of the judge takes. */
const QUESTION = { inputTokens: 500, outputTokens: 20 };

interface Spending extends Partial<JudgeOptions> {
  /** What each step of the team takes; by default, no usage is reported. */
  readonly perStep?: { readonly tokens: number; readonly costUsd: number | null };
  /** What an answer of the judge costs, which says `probability`. */
  readonly costUsd?: number | null;
  readonly probability?: number;
}

/** A team that says nothing new and reports what it spends, and its judge. */
function spending({ perStep, costUsd = null, probability = 0.3, ...options }: Spending = {}) {
  const breaker = new Breaker({
    judge: {
      confirm: () => ({ probability, usage: { ...QUESTION, costUsd } }),
      maxQuestions: 1000,
      ...options,
    },
    repetition: false,
    speakerCycle: false,
    detectors: [() => sayingDetector()],
  });
  let steps = 0;
  const take = (signal: Signal): void => {
    steps++;
    if (perStep) {
      const { tokens, costUsd } = perStep;
      breaker.observe(usage({ inputTokens: tokens, outputTokens: 0, costUsd }));
    }
    breaker.observe(signal);
  };
  const stall = (times: number): void => {
    for (let i = 0; i < times; i++) take(message('ab'.charAt(steps % 2), staleText(steps)));
  };
  const suspect = (): void => take(message('a', 'trip'));
  /** The share of what the team spends that the judge takes, in tokens and in money. */
  const shares = () => {
    const { cost } = breaker.judged;
    const team = breaker.cost;
    return {
      tokens: cost.tokens / (team.tokens - cost.tokens),
      nanoUsd: cost.nanoUsd / (team.nanoUsd - cost.nanoUsd),
    };
  };
  return { breaker, stall, suspect, shares, take };
}

const CHEAP = { tokens: 100, costUsd: null };
const DEAR = { tokens: 10_000, costUsd: null };

describe('the share that a judge may cost', () => {
  it('[JDG25] is a tenth of what the team spends', () => {
    const { breaker, stall, shares } = spending({ perStep: CHEAP });
    stall(400);
    expect(breaker.judged.questions).toBeGreaterThan(4);
    expect(shares().tokens).toBeGreaterThan(0.08);
    expect(shares().tokens).toBeLessThanOrEqual(0.1);
  });

  it('[JDG25] lets a judge ask as often as it would where the steps of the team are dear', () => {
    const [dear, free] = [spending({ perStep: DEAR }), spending()];
    for (const { stall } of [dear, free]) stall(60);
    expect(dear.breaker.judged.questions).toBe(free.breaker.judged.questions);
    expect(free.breaker.judged.questions).toBeGreaterThan(20);
  });

  it('[JDG25] is two and a half times as much for the first question', () => {
    const { breaker, stall } = spending({ perStep: { tokens: 1000, costUsd: null } });
    // After four steps, a question takes some 250 tokens: 0.25 of 1,000, and not 0.1.
    stall(4);
    expect(breaker.judged.questions).toBe(1);
    const cheap = spending({ perStep: CHEAP });
    cheap.stall(4);
    expect(cheap.breaker.judged.questions).toBe(0);
  });

  it('[JDG25] makes a question wait until the team has spent enough', () => {
    const { breaker, stall, take } = spending({ perStep: CHEAP });
    stall(8);
    expect(breaker.judged.questions).toBe(0);
    take(usage({ inputTokens: 4000, outputTokens: 0, costUsd: null }));
    expect(breaker.judged.questions).toBe(1);
  });

  it('[JDG25] is no limit to the first question where a detector suspects the team', () => {
    const { breaker, stall, suspect } = spending({ perStep: CHEAP });
    stall(3);
    suspect();
    expect(breaker.judged.questions).toBe(1);
  });

  it('[JDG25] is one to later questions, whatever a detector suspects', () => {
    const { breaker, stall, suspect } = spending({ perStep: CHEAP });
    stall(3);
    for (let i = 0; i < 20; i++) suspect();
    expect(breaker.judged.questions).toBe(1);
    const dear = spending({ perStep: DEAR });
    dear.stall(3);
    for (let i = 0; i < 20; i++) dear.suspect();
    expect(dear.breaker.judged.questions).toBeGreaterThan(1);
  });

  it('[JDG25] is what maxShare says', () => {
    const questions = (maxShare: number): number => {
      const { breaker, stall, shares } = spending({ perStep: CHEAP, maxShare });
      stall(200);
      if (maxShare > 0) expect(shares().tokens).toBeLessThanOrEqual(maxShare);
      return breaker.judged.questions;
    };
    expect(questions(0)).toBe(0);
    expect(questions(0.2)).toBeGreaterThan(questions(0.1));
    expect(questions(1)).toBeGreaterThan(questions(0.2));
  });

  it('[JDG25] is counted in money where all prices are known', () => {
    const perStep = { tokens: 100, costUsd: 0.001 };
    const { breaker, stall, shares } = spending({ perStep, costUsd: 0.0002 });
    stall(400);
    expect(shares().nanoUsd).toBeLessThanOrEqual(0.1);
    expect(shares().tokens).toBeGreaterThan(0.1);
    const dear = spending({ perStep, costUsd: 0.02 });
    dear.stall(400);
    expect(dear.shares().nanoUsd).toBeLessThanOrEqual(0.1);
    expect(dear.breaker.judged.questions).toBeLessThan(breaker.judged.questions);
  });

  it.each<[string, number | null, number | null]>([
    ['the judge', 0.001, null],
    ['the team', null, 0.0002],
  ])('[JDG25] is counted in tokens where the price of %s is unknown', (_, team, costUsd) => {
    const { stall, shares } = spending({ perStep: { tokens: 100, costUsd: team }, costUsd });
    stall(400);
    expect(shares().tokens).toBeGreaterThan(0.08);
    expect(shares().tokens).toBeLessThanOrEqual(0.1);
  });

  it('[JDG25] is no limit where no usage is reported', () => {
    const { breaker, stall } = spending({ maxShare: 0 });
    stall(4);
    expect(breaker.judged.questions).toBe(1);
  });

  it('[JDG25] is counted on after a snapshot', () => {
    const [before, after] = [spending({ perStep: CHEAP }), spending({ perStep: CHEAP })];
    before.stall(60);
    const { questions } = before.breaker.judged;
    expect(questions).toBeGreaterThan(0);
    after.breaker.restore(JSON.parse(JSON.stringify(before.breaker.snapshot())));
    for (const { stall } of [before, after]) stall(200);
    expect(after.breaker.judged).toEqual(before.breaker.judged);
    expect(before.breaker.judged.questions).toBeGreaterThan(questions);
  });

  it.each([-0.1, Number.NaN, '0.1', null])('[JDG8] is no %s', (maxShare) => {
    const judge = { confirm: () => 0, maxShare: maxShare as number };
    expect(() => new Breaker({ judge })).toThrow(
      expect.objectContaining({ option: 'judge.maxShare' }),
    );
  });
});
