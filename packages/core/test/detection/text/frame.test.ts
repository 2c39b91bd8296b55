import { describe, expect, it } from 'vitest';
import { carriesBelow, Frame, firstUnitOf, headOf } from '../../../src/detection/text/frame.ts';
import { reading } from './texts.ts';

/** Whether `text` quotes `message` below its own text. */
function carries(text: string, message: string): boolean {
  const found = carriesBelow(text, headOf(message), firstUnitOf(message));
  expect(carriesBelow(text, headOf(message), undefined)).toBe(found);
  return found;
}

describe('an answer that carries a message', () => {
  it.each([
    ['in quote marks', 'Yes.\n> The mill is closed.'],
    ['in two of them', 'Yes.\n\n > >\tThe mill is closed.\nBye.'],
    ['below a bar', 'Yes.\n| The mill is closed.'],
    ['as it is', 'Yes.\nThe mill is closed.'],
    ['far below', `Yes.\n${'well\n'.repeat(62)}> The mill is closed.`],
  ])('[DRI5] does so %s', (_, text) => {
    expect(carries(text, 'The mill is closed.')).toBe(true);
  });

  it.each([
    ['says something else', 'Yes.\n> The mill is open.'],
    ['says less', 'Yes.\n> The mill is'],
    ['says more in its line', 'Yes.\n> The mill is closed. So what?'],
    ['says it at once', 'The mill is closed.\nYes.'],
    ['says it too far below', `Yes.\n${'well\n'.repeat(63)}> The mill is closed.`],
    ['has one line', 'Yes.'],
  ])('[DRI5] does not where it %s', (_, text) => {
    expect(carries(text, 'The mill is closed.')).toBe(false);
  });

  it('[DRI5] is known by the first forty characters of the first line', () => {
    const start = 'The mill is closed until the river falls';
    expect(carries(`Yes.\n> ${start} again.`, `> ${start}, they say.\nSo we wait.`)).toBe(true);
    expect(carries('Yes.\n> Not today', 'Not today\nbut tomorrow')).toBe(true);
  });

  it('[DRI5] carries no empty one', () => {
    expect(carries('Yes.\n>\n', '')).toBe(false);
    expect(carries('Yes.\n>\n', '> \nThe mill')).toBe(false);
  });
});

function frameOf(text: string): Frame {
  const frame = new Frame();
  frame.read(reading(text));
  return frame;
}

const isItem = (before: string, now: string): boolean => frameOf(before).isRefilledBy(frameOf(now));

describe('a message that differs from another one in one place', () => {
  it.each([
    ['a word', 'the next town is called Rostock', 'the next town is called Schwerin'],
    [
      'several words',
      'we now look at the harbour of Rostock again',
      'we now look at the market near Wismar again',
    ],
    ['a letter', 'the next field is B', 'the next field is C'],
    [
      'the first word',
      'Rostock is the town that comes next',
      'Schwerin is the town that comes next',
    ],
    ['a number', 'row 17 of the table is done', 'row 18 of the table is done'],
    ['all numbers', 'row 17 of 20 is done', 'row 18 of 21 is done'],
    ['a name with digits', 'we test a-1 next of all', 'we test b-2 next of all'],
  ])('[ANL8] is about another item: %s', (_, before, now) => {
    expect(isItem(before, now)).toBe(true);
  });

  it.each([
    ['most is different', 'the next town is called Rostock', 'we should leave the harbour early'],
    ['too much is', 'the town is Rostock', 'the town has cathedral market station'],
    ['there are two places', 'Rostock has a very old harbour', 'Schwerin has a very old market'],
    [
      'words are only added',
      'the next town is called Rostock',
      'the next town is called Rostock then',
    ],
    [
      'words are only left out',
      'the next big town is called Rostock',
      'the next town is called Rostock',
    ],
    [
      'the words come again',
      'take Rostock or Schwerin for the trip',
      'take Schwerin or Rostock for the trip',
    ],
    ['the one word is known', 'is it A or is it B', 'is it A or is it A'],
    ['there is nothing', '', ''],
    ['there was nothing', '', 'the next town'],
  ])('[ANL8] is not where %s', (_, before, now) => {
    expect(isItem(before, now)).toBe(false);
  });

  it('[ANL8] is told after a text that was longer', () => {
    const frame = frameOf('a very long text that says much more than the others do in the end');
    frame.read(reading('the next town is called Rostock'));
    expect(frame.isRefilledBy(frameOf('the next town is called Schwerin'))).toBe(true);
    expect(frame.isRefilledBy(frameOf('the next town is called Rostock then'))).toBe(false);
  });

  it('[ANL8] is told by the first 256 words', () => {
    const text = (word: string, times: number): string =>
      `${word} ${'and on and so '.repeat(times)}end ${word}`;
    expect(isItem(text('Rostock', 64), text('Schwerin', 64))).toBe(true);
    expect(isItem(text('Rostock', 60), text('Schwerin', 60))).toBe(false);
  });

  it('[SNP2] is told after a restart', () => {
    const before = frameOf('the next town is called Rostock');
    const now = frameOf('nothing of it');
    now.restore('frame', JSON.parse(JSON.stringify(before.snapshot())));
    expect(now.isRefilledBy(frameOf('the next town is called Schwerin'))).toBe(true);
    expect(now.snapshot()).toEqual(before.snapshot());
    expect(now.isRefilledBy(frameOf('the next town is called Rostock then'))).toBe(false);
  });
});
