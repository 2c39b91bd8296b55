import { describe, expect, it } from 'vitest';
import { lastSaid } from '../../support/steps.ts';
import { words } from '../../support/words.ts';

const ask = 'Please check whether the yeti crab and the spider crab are crustaceans';
const first = `A:"${ask}." A:"${ask} by searching the web."`;
const again = `A:"${ask} with reliable sources."`;

describe('Recall: the same in nearly the same words', () => {
  it('[REP3] takes known words in another order for a variant', () => {
    const text = 'A:"The large room on the top floor is for the garden committee tonight."';
    const other = 'A:"Tonight the garden committee is for the large room on the top floor."';
    expect(lastSaid(`${text} ${other}`).isVariant).toBe(true);
  });

  it('[REP3] takes nothing for a variant that puts something new in the place of something else', () => {
    const room = 'the large room on the top floor, with coffee, lemonade, candles and cushions';
    const text = `A:"For the garden committee there is ${room} tonight."`;
    const other = `A:"Tonight there is ${room} for the chess committee."`;
    expect(lastSaid(`${text} ${other.replace('chess', 'garden')}`).isVariant).toBe(true);
    expect(lastSaid(`${text} ${other}`).isVariant).toBe(false);
  });

  it('[REP3] takes a word or two of emphasis for a variant, and more for more', () => {
    const text = 'The large room on the top floor is for the garden committee tonight';
    const emphasis = ['indeed', 'really', 'obviously'];
    const variants = [1, 2, 3].map(
      (count) =>
        lastSaid(`A:"${text}" A:"${text} ${emphasis.slice(0, count).join(' ')}"`).isVariant,
    );
    expect(variants).toEqual([true, true, false]);
  });

  it('[REP12] takes an ask that comes again in full for a variant', () => {
    expect(lastSaid(`${first} ${again}`).isVariant).toBe(true);
  });

  it('[REP12] takes it for none where an answer came in between', () => {
    const later = 'A:"Nobody has replied so far." A:"The weather turns cold."';
    expect(lastSaid(`A:"${ask}." B:"They are." ${later} ${again}`).isVariant).toBe(false);
  });

  it('[REP12] takes it for none where it holds what was added before as well', () => {
    const grown = `A:"${ask} by searching the web with reliable sources."`;
    expect(lastSaid(`${first} ${grown}`).isVariant).toBe(false);
  });

  it('[REP12] takes it for none where more than as much stands around it', () => {
    const around =
      'before anything is printed, since readers will hold every single animal against us';
    expect(lastSaid(`${first} A:"${ask} ${around} in the coming museum catalogue."`)).toMatchObject(
      { isVariant: false },
    );
  });

  it('[REP12] takes few words that come again for no ask', () => {
    const talk = 'A:"Check crabs." A:"Check crabs slowly tomorrow." A:"Check crabs with sources."';
    expect(lastSaid(talk).isVariant).toBe(false);
  });
});

describe('Recall: long messages', () => {
  const opening = words(40);

  it('[REP4] finds the message again that was the same but for its order', () => {
    const shown = `A:"${words(50)} ${words(50, 50)}" A:"${words(50, 50)} ${words(50)}"`;
    expect(lastSaid(shown).revisits).toEqual([0]);
  });

  it('[REP4] finds none where there is anything new', () => {
    const shown = `A:"${words(50)} ${words(50, 50)}" A:"${words(50, 50)} ${words(50)} and 4711"`;
    expect(lastSaid(shown).revisits).toEqual([]);
  });

  it('[SPK5] counts the messages that were much like it', () => {
    const like = (from: number): string => `A:"${words(40, from)} ${words(20, 300 + from)}"`;
    expect(lastSaid(`${like(0)} ${like(0)} ${like(0)}`).recurrences).toBe(2);
    expect(lastSaid(`${like(0)} ${like(100)} ${like(0)}`).recurrences).toBe(1);
    expect(lastSaid(`${like(0)} A:"A few words."`).recurrences).toBeUndefined();
  });

  it('[SPK5] counts none where it has a name or a number that they had not', () => {
    const text = words(60);
    const talk = `A:"${text}" A:"${text}" B:"See chapter7.pdf there." A:"${text} chapter7.pdf"`;
    expect(lastSaid(talk).recurrences).toBe(0);
  });

  it('[REP14] finds the message again that began in the same way and had half of the rest', () => {
    const shown = `A:"${opening} ${words(60, 100)}" A:"${opening} ${words(40, 100)} ${words(20, 300)}"`;
    expect(lastSaid(shown).reopenings).toEqual([0]);
  });

  it('[REP14] finds none that began otherwise, or had little of the rest', () => {
    const later = `A:"${words(60, 100)} ${opening}" A:"${opening} ${words(60, 100)}"`;
    const other = `A:"${opening} ${words(60, 100)}" A:"${opening} ${words(60, 300)}"`;
    expect(lastSaid(later).reopenings).toEqual([]);
    expect(lastSaid(other).reopenings).toEqual([]);
  });

  it('[REP14] finds none for a formula that is hardly longer than its beginning', () => {
    const formula = `A:"${opening} ${words(30, 100)}" A:"${opening} ${words(30, 100)} again"`;
    expect(lastSaid(formula).reopenings).toEqual([]);
  });

  it('[REP14] finds none for a message with code', () => {
    const code = '```python\nprint(total)\n```';
    const text = JSON.stringify(`${opening} ${words(60, 100)} ${code}`);
    expect(lastSaid(`A:${text} A:${text}`).reopenings).toEqual([]);
  });
});
