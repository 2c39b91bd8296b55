import { describe, expect, it } from 'vitest';
import { Voice } from '../../src/detectors/voice.ts';
import { deed, said } from '../support/steps.ts';

const variant = said({ isVariant: true });
const oldCode = said({ code: 'old' });
const outcome = said({ isOutcome: true, figures: 1 });

describe('Voice', () => {
  it('[REP3] counts messages in a row that are variants of each other', () => {
    const voice = new Voice(3);
    expect(voice.vary(said(), 0, 0)).toEqual([0]);
    expect(voice.vary(variant, 1, 0)).toEqual([0, 1]);
    expect(voice.vary(said(), 2, 0)).toEqual([2]);
  });

  it('[REP3] begins afresh after a call or a run of the agent itself', () => {
    const voice = new Voice(3);
    voice.vary(said(), 0, 0);
    voice.act(deed({ type: 'called' }), 1, -1);
    expect(voice.vary(variant, 2, 0)).toEqual([2]);
  });

  it('[REP3] begins afresh after something new, but for the message that had it for an answer', () => {
    const voice = new Voice(3);
    voice.vary(said(), 0, 0);
    voice.vary(variant, 1, 0);
    expect(voice.vary(variant, 3, 2)).toEqual([1, 3]);
  });

  it('[REP4] counts answers to code with known names and numbers only, since one with a new figure', () => {
    const voice = new Voice(3);
    expect(voice.answer(outcome, 1, 0.4, 0)).toEqual([0]);
    expect(voice.answer(outcome, 0, 0.9, 1)).toEqual([0, 1]);
    expect(voice.answer({ ...outcome, newFigures: 1 }, 0, 0.9, 2)).toEqual([]);
    expect(voice.answer(outcome, 1, 1, 3)).toEqual([3]);
  });

  it('[REP4] counts an answer that says the last one again with something added to it', () => {
    const voice = new Voice(4);
    const outcome = said({ isOutcome: true, figures: 1 });
    expect(voice.answer({ ...outcome, isExtended: true }, 0, 0.2, 0)).toEqual([0]);
  });

  it('[REP4] counts no answer in fresh words, without a figure, or to no code', () => {
    const voice = new Voice(3);
    expect(voice.answer(outcome, 0, 0.5, 0)).toEqual([]);
    expect(voice.answer(said({ isOutcome: true }), 1, 1, 1)).toEqual([]);
    expect(voice.answer(said({ figures: 1 }), 1, 1, 2)).toEqual([]);
  });

  it('[REP10] counts one line since something new came', () => {
    const voice = new Voice(3);
    expect(voice.echo(7, 2, 0)).toEqual([2]);
    expect(voice.echo(7, 4, 0)).toEqual([2, 4]);
    expect(voice.echo(7, 8, 4)).toEqual([8]);
    expect(voice.echo(9, 10, 4)).toEqual([10]);
  });

  it('[REP13] counts code that was shown before, one less for new code', () => {
    const voice = new Voice(3);
    expect(voice.show(oldCode, false, 0, -1)).toEqual([0]);
    expect(voice.show(oldCode, false, 1, -1)).toEqual([0, 1]);
    expect(voice.show(said({ code: 'new' }), false, 2, -1)).toEqual([]);
    expect(voice.show(said(), false, 3, -1)).toEqual([]);
    expect(voice.show(oldCode, false, 4, -1)).toEqual([1, 4]);
  });

  it('[REP13] begins afresh where there is something new to say about old code', () => {
    const voice = new Voice(3);
    voice.show(oldCode, false, 0, -1);
    voice.show(oldCode, false, 1, -1);
    expect(voice.show(oldCode, true, 2, -1)).toEqual([]);
    expect(voice.show(oldCode, false, 3, -1)).toEqual([3]);
  });

  it('[REP13] begins afresh after a new result of a run or a call', () => {
    const voice = new Voice(3);
    voice.show(oldCode, false, 0, -1);
    expect(voice.show(oldCode, false, 2, 1)).toEqual([2]);
    expect(voice.show(oldCode, false, 3, 1)).toEqual([2, 3]);
  });
});
