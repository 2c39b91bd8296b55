import { describe, expect, it } from 'vitest';
import {
  AGAIN_AFTER,
  FIRST_QUESTION,
  FIRST_SHARE,
  MORE_PATIENT,
  PER_STEP,
} from '../../src/detection/judgement.ts';
import { InvalidSnapshotError } from '../../src/index.ts';
import { QuestionPace } from '../../src/judge/question-pace.ts';

const STOP_FROM = 0.5;
/** What stops a team at once, half-way between {@link STOP_FROM} and certainty. */
const ENOUGH = 0.75;
const ASK_AT = 4;

/** Takes steps that add up to a staleness. */
function take(pace: QuestionPace, steps: number, staleness: number): QuestionPace {
  for (let i = 0; i < steps; i++) pace.step(staleness / steps - PER_STEP, 0);
  return pace;
}

/** A pace after steps that add up to a staleness. */
function paceAfter(steps: number, staleness: number, askAt = ASK_AT): QuestionPace {
  return take(new QuestionPace(askAt, STOP_FROM), steps, staleness);
}

/** A pace after an answer. */
function paceAfterAnswer(probability: number): QuestionPace {
  const pace = paceAfter(FIRST_QUESTION, ASK_AT);
  pace.ask();
  pace.answer(probability);
  return pace;
}

/** Which of some answers stops a team, counted from 1; `undefined` if none does. */
function stopAt(answers: readonly number[], stopFrom = STOP_FROM): number | undefined {
  const pace = new QuestionPace(ASK_AT, stopFrom);
  const at = answers.findIndex((probability) => pace.answer(probability).isEnough);
  return at < 0 ? undefined : at + 1;
}

describe('when it is time for a question', () => {
  it('[JDG1] asks first at six tenths of `askAt`, and not below', () => {
    expect(paceAfter(FIRST_QUESTION, FIRST_SHARE * ASK_AT).isTime).toBe(true);
    expect(paceAfter(FIRST_QUESTION, FIRST_SHARE * ASK_AT - 0.1).isTime).toBe(false);
  });

  it('[JDG1] asks again at `askAt` itself, and not below', () => {
    const pace = paceAfter(FIRST_QUESTION, ASK_AT);
    pace.ask();
    expect(take(pace, 4, ASK_AT - 0.1).isTime).toBe(false);
    expect(take(pace, 1, 0.2).isTime).toBe(true);
  });

  it('[JDG1] asks no earlier than at the fourth step, however stale the ones before are', () => {
    expect(paceAfter(FIRST_QUESTION - 1, 40).isTime).toBe(false);
  });

  it('[JDG1] asks no earlier than two steps after a question, however stale the first is', () => {
    const pace = paceAfterAnswer(0.3);
    expect(take(pace, AGAIN_AFTER - 1, 40).isTime).toBe(false);
    expect(take(pace, 1, 40).isTime).toBe(true);
  });

  it('[JDG1] counts a step for at least half of how like it is to earlier ones', () => {
    const alike = new QuestionPace(ASK_AT, STOP_FROM);
    const others = new QuestionPace(ASK_AT, STOP_FROM);
    for (let i = 0; i < FIRST_QUESTION; i++) {
      alike.step(0, 1);
      others.step(0, 0.8);
    }
    expect([alike.isTime, others.isTime]).toEqual([true, false]);
  });

  it('[JDG21] asks about a suspicion once, until a detector suspects the team again', () => {
    const pace = paceAfter(FIRST_QUESTION, 0.8, 100);
    pace.suspect();
    expect(pace.isTime).toBe(true);
    pace.ask();
    for (let i = 0; i < FIRST_QUESTION; i++) pace.step(0, 0);
    expect(pace.isTime).toBe(false);
  });

  it.each([0.5, 0.42])('[JDG20] asks two steps after an answer of %f', (probability) => {
    const pace = paceAfterAnswer(probability);
    expect(take(pace, AGAIN_AFTER, 0).isTime).toBe(true);
  });

  it.each([
    [0.35, 0.9],
    [0.3, 1.5],
    [0.25, 2.3],
  ])('[JDG20] asks sooner after %f: at a staleness of %f', (probability, staleness) => {
    expect(take(paceAfterAnswer(probability), 2, staleness).isTime).toBe(true);
    expect(take(paceAfterAnswer(probability), 2, 0.5 * staleness).isTime).toBe(false);
  });

  it('[JDG20] asks later after a no: at 1.4 times as much', () => {
    const staleness = ASK_AT * MORE_PATIENT;
    expect(take(paceAfterAnswer(0.15), 2, staleness - 0.1).isTime).toBe(false);
    expect(take(paceAfterAnswer(0.15), 2, staleness + 0.1).isTime).toBe(true);
  });

  it('[JDG20] takes an answer below 0.25 for a no', () => {
    const staleness = 0.75 * ASK_AT;
    expect(take(paceAfterAnswer(0.25), 2, staleness).isTime).toBe(true);
    expect(take(paceAfterAnswer(0.24), 2, staleness).isTime).toBe(false);
  });

  it('[JDG20] forgets the noes at an answer that is none', () => {
    const pace = paceAfterAnswer(0);
    pace.answer(0);
    pace.answer(0.25);
    expect(take(pace, 2, ASK_AT).isTime).toBe(true);
  });

  it('[JDG11] forgets a doubt when a person has spoken', () => {
    const pace = paceAfterAnswer(0.5);
    pace.startOver();
    expect(take(pace, AGAIN_AFTER, 0).isTime).toBe(false);
    expect(pace.answer(0.5).isEnough).toBe(false);
  });

  it('[JDG11] keeps the number of steps when a person has spoken, and not at a reset', () => {
    const pace = paceAfter(FIRST_QUESTION, ASK_AT);
    pace.startOver();
    expect(take(pace, AGAIN_AFTER, ASK_AT).isTime).toBe(true);
    pace.reset();
    expect(take(pace, AGAIN_AFTER, ASK_AT).isTime).toBe(false);
  });
});

describe('what answers add up to', () => {
  it('[JDG4] stops at an answer half-way from `stopFrom` to 1, and not below', () => {
    expect(stopAt([ENOUGH])).toBe(1);
    expect(stopAt([ENOUGH - 0.01])).toBeUndefined();
    expect(stopAt([0.9], 0.8)).toBe(1);
    expect(stopAt([0.89], 0.8)).toBeUndefined();
  });

  it('[JDG4] takes no certainty beyond 0.99', () => {
    expect(stopAt([0.99], 1)).toBe(1);
    expect(stopAt([0.98], 1)).toBeUndefined();
  });

  it.each([
    [0.5, 2],
    [0.4, 4],
    [0.35, 5],
  ])('[JDG22] stops if the judge keeps answering %f: at answer %i', (probability, at) => {
    expect(stopAt(Array(20).fill(probability))).toBe(at);
  });

  it('[JDG22] adds answers that differ', () => {
    expect(stopAt([0.5, 0.4, 0.4])).toBe(3);
    expect(stopAt([0.7, 0.7], 0.8)).toBe(2);
  });

  it('[JDG22] never stops at low answers, however many there are', () => {
    expect(stopAt(Array(100).fill(0.3))).toBeUndefined();
  });

  it('[JDG22] counts what came before two thirds', () => {
    expect(stopAt([0.5, 0.15, 0.5])).toBeUndefined();
    expect(stopAt([0.7, 0.15, 0.5])).toBe(3);
    expect(stopAt([0.7, 0.15, 0.15, 0.5])).toBeUndefined();
  });

  it('[JDG22] takes an answer below the usual one off the sum', () => {
    expect(stopAt([0.7, 0.15, 0.5])).toBe(3);
    expect(stopAt([0.7, 0.1, 0.5])).toBeUndefined();
  });

  it('[JDG22] gives a team no credit for what was said in its favour', () => {
    expect(stopAt([...Array(10).fill(0), ENOUGH])).toBe(11);
  });
});

describe('the snapshot of a pace', () => {
  it('[JDG12] holds what the answers add up to', () => {
    const before = paceAfterAnswer(0.5);
    const after = new QuestionPace(ASK_AT, STOP_FROM);
    after.restore(JSON.parse(JSON.stringify(before.snapshot())));
    expect(after.answer(0.5).isEnough).toBe(true);
  });

  it('[JDG12] names where a snapshot is wrong', () => {
    const pace = new QuestionPace(4, STOP_FROM);
    const field = 'judge.pace.steps';
    const { steps, ...snapshot } = Object(pace.snapshot());
    expect(steps).toBe(0);
    expect(() => pace.restore(snapshot)).toThrow(InvalidSnapshotError);
    expect(() => pace.restore(snapshot)).toThrow(expect.objectContaining({ field }));
  });
});
