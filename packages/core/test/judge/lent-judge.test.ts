import { describe, expect, it } from 'vitest';
import { Breaker, type Confirm } from '../../src/index.ts';
import { internalsOf, type JudgeOptions } from '../../src/kit.ts';
import { heard, isThere, judged } from '../support/judge.ts';
import { mainOf, message, modelRequest, withMain } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';

const STALE = Array.from({ length: 18 }, (_, i) => message('ab'.charAt(i % 2), staleText(i), i));
const YES: Confirm = () => ({ probability: 1, reason: 'They wait for each other.' });

/** A breaker without a judge, and a patient one that can be lent to it. */
function lending(judging: Partial<JudgeOptions> = {}) {
  const { judge, ...others } = judged({ judge: false });
  const lend = (): (() => void) =>
    internalsOf(others.breaker).judges.lend({ confirm: judge.confirm, ...judging });
  return { ...others, judge, lend };
}

describe('a judge that is lent', () => {
  it('[JDG14] is asked in conversations that were there before, and in later ones', () => {
    const breaker = new Breaker();
    const before = breaker.conversation('before');
    internalsOf(breaker).judges.lend(YES);
    for (const one of [breaker.conversation(), before, breaker.conversation('after')]) {
      for (const signal of STALE) one.observe(signal);
      expect(one.trip?.reason).toContain('the judge is 100% sure');
    }
  });

  it('[JDG14] is asked as its options say, and by the defaults without them', () => {
    const questions = (lent: Confirm | JudgeOptions): number => {
      const breaker = new Breaker();
      internalsOf(breaker).judges.lend(lent);
      for (const signal of STALE.slice(0, 9)) breaker.observe(signal);
      return breaker.judged.questions;
    };
    expect(questions(() => 0)).toBe(2);
    expect(questions({ confirm: () => 0, askAt: 9 })).toBe(1);
  });

  it('[JDG14] is not asked where the breaker has a judge of its own', () => {
    const breaker = new Breaker({ judge: () => 0 });
    expect(internalsOf(breaker).judges.hasOwn).toBe(true);
    internalsOf(breaker).judges.lend(YES);
    for (const signal of STALE) breaker.observe(signal);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.judged.questions).toBeGreaterThan(0);
  });

  it('[JDG14] is asked once the one before is taken away, and no sooner', () => {
    const breaker = new Breaker();
    const takeBack = internalsOf(breaker).judges.lend(() => 0);
    internalsOf(breaker).judges.lend(YES);
    for (const signal of STALE.slice(0, 10)) breaker.observe(signal);
    expect(breaker.conversation().trip).toBeUndefined();
    takeBack();
    takeBack();
    for (const signal of STALE) breaker.observe(signal);
    expect(breaker.conversation().trip?.reason).toContain('the judge is 100% sure');
  });

  it('[JDG14] that is taken away leaves the breaker as it was', () => {
    const breaker = new Breaker();
    internalsOf(breaker).judges.lend(() => 0)();
    expect(internalsOf(breaker).judges.current).toBeUndefined();
    for (const signal of STALE) breaker.observe(signal);
    expect(breaker.judged.questions).toBe(0);
    expect(breaker.conversation().trip?.reason).not.toContain('the judge');
  });

  it.each([1, 0])(
    '[JDG15] gives up its question when it is taken away: an answer of %i counts no more',
    async (answer) => {
      const { breaker, judge, lend, stall } = lending();
      const takeBack = lend();
      stall();
      takeBack();
      expect(await isThere(breaker.conversation().answered())).toBe(true);
      const usage = { inputTokens: 9, outputTokens: 1, costUsd: 0.5 };
      await judge.says({ probability: answer, usage });
      expect(breaker.conversation().trip).toBeUndefined();
      expect(breaker.judged).toMatchObject({ questions: 1, cost: { tokens: 10 } });
    },
  );

  it('[JDG15] lets what waited for it go on when it is taken away', async () => {
    const { breaker, lend, stall } = lending({ blocking: true });
    const takeBack = lend();
    stall();
    const asked = breaker.admit(modelRequest());
    expect(await isThere(asked)).toBe(false);
    takeBack();
    expect(await asked).toMatchObject({ isAdmitted: true });
  });

  it('[JDG15] acts no more in a conversation that was forgotten meanwhile', async () => {
    const { breaker, judge, lend } = lending();
    const takeBack = lend();
    const forgotten = breaker.conversation('first');
    for (const signal of STALE) if (judge.questions.length === 0) forgotten.observe(signal);
    for (let i = 0; i < 1000; i++) breaker.conversation(`later ${i}`);
    takeBack();
    await judge.says(1);
    expect(forgotten.questions).toBe(1);
    expect(forgotten.trip).toBeUndefined();
  });

  it('[JDG16] goes on with what the one before has counted', () => {
    const breaker = new Breaker();
    const takeBack = internalsOf(breaker).judges.lend({ confirm: () => 0, maxQuestions: 3 });
    for (const signal of STALE.slice(0, 8)) breaker.observe(signal);
    const { questions } = breaker.judged;
    expect(questions).toBeGreaterThan(0);
    takeBack();
    expect(breaker.judged.questions).toBe(questions);
    internalsOf(breaker).judges.lend({ confirm: () => 0, maxQuestions: questions });
    for (const signal of STALE) breaker.observe(signal);
    expect(breaker.judged.questions).toBe(questions);
  });

  it('[JDG16] goes on with what a snapshot holds, restored before it is lent or after', () => {
    const { breaker, lend, stall } = lending();
    lend();
    breaker.observe({ kind: 'human-input', at: 0, agent: 'p', text: 'Plan the parade.' });
    stall();
    const snapshot = JSON.parse(JSON.stringify(breaker.snapshot()));
    const [sooner, later] = [lending(), lending()];
    sooner.lend();
    for (const one of [sooner, later]) one.breaker.restore(snapshot);
    expect(mainOf(later.breaker.snapshot()).judge).toEqual(mainOf(snapshot).judge);
    later.lend();
    for (const one of [sooner, later]) {
      one.stall();
      expect(one.judge.questions[0]?.task).toBe('Plan the parade.');
      expect(one.breaker.judged.questions).toBe(2);
    }
  });

  it('[JDG16] finds what is wrong in a snapshot before it is there', () => {
    const snapshot = new Breaker({ judge: YES }).snapshot();
    const wrong = withMain(snapshot, (main) => ({ ...main, judge: { task: 3 } }));
    expect(() => new Breaker().restore(wrong)).toThrow('judge.task');
  });

  it('[JDG16] keeps nothing of a snapshot where excerpts are off', () => {
    const judging = new Breaker({ judge: () => 0 });
    for (const signal of STALE) judging.observe(signal);
    const silent = new Breaker({ excerpts: false });
    silent.restore(judging.snapshot());
    expect(mainOf(silent.snapshot()).judge).toBeNull();
  });

  it('[JDG16] forgets what it has counted at a reset', () => {
    const breaker = new Breaker();
    const takeBack = internalsOf(breaker).judges.lend(() => 0);
    for (const signal of STALE) breaker.observe(signal);
    takeBack();
    breaker.reset();
    expect(breaker.judged.questions).toBe(0);
  });

  it.each<[unknown, string]>([
    [5, 'judge'],
    [true, 'judge'],
    [{ confirm: 'me' }, 'judge'],
    [{ confirm: () => 0, stopFrom: 1.1 }, 'judge.stopFrom'],
  ])('[JDG8] is refused if it is %j, naming the option', (judge, option) => {
    const breaker = new Breaker();
    expect(() => internalsOf(breaker).judges.lend(judge as never)).toThrow(
      expect.objectContaining({ option }),
    );
    expect(internalsOf(breaker).judges.current).toBeUndefined();
  });

  it('[JDG8] is refused where excerpts are off', () => {
    const breaker = new Breaker({ excerpts: false });
    expect(() => internalsOf(breaker).judges.lend(YES)).toThrow(
      'judge cannot be combined with excerpts: false',
    );
  });
});

describe('a judge that a guard is to lend', () => {
  it.each([true, 'gpt-4o-mini', false])('[JDG17] is nobody yet: judge: %j', async (choice) => {
    const breaker = new Breaker({ judge: choice, repetition: false, speakerCycle: false });
    for (const signal of STALE) breaker.observe(signal);
    await heard();
    expect(internalsOf(breaker).judges).toMatchObject({
      choice,
      hasOwn: false,
      current: undefined,
    });
    expect(breaker.judged.questions).toBe(0);
  });

  it('[JDG17] is refused where excerpts are off; that there is none is not', () => {
    for (const judge of [true, 'gpt-4o-mini']) {
      expect(() => new Breaker({ excerpts: false, judge })).toThrow(
        'judge cannot be combined with excerpts: false',
      );
    }
    const breaker = new Breaker({ excerpts: false, judge: false });
    expect(breaker.observe(message('a', 'hello'))).toBeUndefined();
  });

  it.each(['create', 'doGenerate'])(
    '[JDG17] is no client with %s by itself: the refusal names modelJudge',
    (member) => {
      expect(() => new Breaker({ judge: { [member]: () => {} } as never })).toThrow(
        'pass modelJudge(client) of @teamfuse/judge',
      );
    },
  );

  it.each(['', 0, null, {}])('[JDG17] is none, and refused at once: %j', (judge) => {
    expect(() => new Breaker({ judge: judge as never })).toThrow(
      "option 'judge': expected true or false, the name of a model",
    );
  });
});
