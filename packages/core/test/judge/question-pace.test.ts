import { describe, expect, it } from 'vitest';
import { QuestionPace } from '../../src/judge/question-pace.ts';
import { FIRST_QUESTION, LIKELY, MORE_PATIENT, PER_STEP } from '../../src/judgement.ts';
import { InvalidSnapshotError } from '../../src/kit.ts';

const STOP_FROM = 0.6;

/** A pace after steps that add up to a staleness. */
function paceAfter(steps: number, staleness: number, askAt: number): QuestionPace {
  const pace = new QuestionPace(askAt, STOP_FROM);
  for (let i = 0; i < steps; i++) pace.step(staleness / steps - PER_STEP, 0);
  return pace;
}

describe('QuestionPace', () => {
  it('[JDG1] asks at the very staleness of `askAt`, and not below it', () => {
    expect(paceAfter(FIRST_QUESTION, 4, 4).isTime).toBe(true);
    expect(paceAfter(FIRST_QUESTION, 3.9, 4).isTime).toBe(false);
  });

  it('[JDG1] asks no earlier than at the fourth step, however stale the ones before are', () => {
    expect(paceAfter(FIRST_QUESTION - 1, 40, 4).isTime).toBe(false);
  });

  it('[JDG21] asks about a suspicion once, until a detector suspects the team again', () => {
    const pace = paceAfter(FIRST_QUESTION, 0.8, 100);
    pace.suspect();
    expect(pace.isTime).toBe(true);
    pace.ask();
    for (let i = 0; i < FIRST_QUESTION; i++) pace.step(0, 0);
    expect(pace.isTime).toBe(false);
  });

  it('[JDG22] stops at `stopFrom` itself once it is confirmed, and not below it', () => {
    const pace = paceAfter(FIRST_QUESTION, 4, 4);
    expect([pace.answer(STOP_FROM), pace.answer(STOP_FROM)]).toEqual([false, true]);
    const other = paceAfter(FIRST_QUESTION, 4, 4);
    const below = STOP_FROM - 0.01;
    expect([other.answer(STOP_FROM), other.answer(below)]).toEqual([false, false]);
  });

  it('[JDG1] begins the next question with the part of `askAt` that the answer was likely', () => {
    const pace = paceAfter(FIRST_QUESTION, 4, 4);
    pace.ask();
    pace.answer(0.5);
    for (let i = 0; i < 4; i++) pace.step(0.35 - PER_STEP, 0);
    expect(pace.isTime).toBe(false);
    pace.step(0.65 - PER_STEP, 0);
    expect(pace.isTime).toBe(true);
  });

  it.each([
    ['a no', LIKELY - 0.01, false],
    ['an answer that is just likely', LIKELY, true],
  ])('[JDG20] after %s, waits for more only if it was a no', (_, probability, isTime) => {
    const pace = paceAfter(FIRST_QUESTION, 4, 4);
    pace.ask();
    pace.answer(probability);
    for (let i = 0; i < FIRST_QUESTION; i++) pace.step(1 - PER_STEP, 0);
    expect(4 * MORE_PATIENT).toBeGreaterThan(4 + 4 * LIKELY);
    expect(pace.isTime).toBe(isTime);
  });

  it('[JDG11] forgets a doubt when a person has spoken, and everything at a reset', () => {
    const settled = paceAfter(FIRST_QUESTION, 4, 4);
    settled.settle();
    expect(settled.isTime).toBe(false);
    settled.step(4, 0);
    expect(settled.isTime).toBe(true);
    settled.reset();
    settled.step(4, 0);
    expect(settled.isTime).toBe(false);
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
