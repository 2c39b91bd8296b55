import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/detection/text/token-estimate.ts';
import { reading, typesIn } from './texts.ts';

const termsIn = (text: string): number[] => {
  const { terms, count } = reading(text);
  return [...terms.slice(0, count)];
};

describe('the tokens of a text', () => {
  it.each([
    ['short and long words', 'a the mill', 'plain plain word'],
    ['words at marks', 'Mill, (river) mills.\nMiller', 'word word word word'],
    ['a word that comes again at once', 'mill mill. Mill', 'word'],
    ['numbers', '7 17 3.5 1,000', 'digit number number number'],
    ['a number that comes again at once', '17 17', 'number number'],
    ['numbers in a list', '7, 8,9 x', 'digit number plain'],
    ['names', 'src/a.ts v1 a_b a@b a-1 utf-8', 'name name name name name name'],
    ['words with a hyphen', 'well-known', 'word word'],
    ['a colon and a dot', 'mill:river a.b ..a', 'word word name plain'],
    ['signs', '+ = $', 'plain plain plain'],
    ['a letter with an accent', 'über e\u0301tude', 'word word'],
    ['multiplied words', 'wind×mill', 'word word'],
    ['Cyrillic and Greek', 'река ἀρχή', 'word word'],
    ['Arabic', 'نلتقي', 'word'],
    ['Georgian', 'ქართული', 'word'],
    ['Chinese', '水车坊', 'half half'],
    ['one character of Chinese', '水', 'half'],
    ['compatible characters', '\uf900\uf901', 'half'],
    ['Thai', 'ไทย', 'half half'],
    ['Khmer', '\u1780\u1781', 'half'],
    ['Hiragana', 'あり ありが', 'plain half'],
    ['Katakana', 'カメラ カメラマン', 'plain word'],
    ['Korean', '가 가다', 'plain word'],
    ['characters of several scripts', '水あり가다mill', 'half plain word'],
    ['wide digits and letters', '１７ ＡＢＣＤ', 'number word'],
    ['pictures', '🙂 — “”', ''],
    ['nothing', ' \n', ''],
  ])('[ANL1] are read in every language: %s', (_, text, types) => {
    expect(typesIn(text)).toBe(types);
  });

  it.each([
    ['an Indic letter for two', 'न नम', 'plain word'],
    ['an Indic vowel sign for none', 'ने', 'plain'],
    ['a vowel of Vietnamese with its tone for two', 'ạo ạoa', 'plain word'],
  ])('[ANL12] count %s', (_, text, types) => {
    expect(typesIn(text)).toBe(types);
  });

  it.each([
    ['a time', '12:40:07', 'volatile', 'volatile'],
    ['a duration', '30 ms', 'volatile plain', 'volatile plain'],
    ['a hash', '4fc9e8f1b2', 'volatile', 'name'],
    ['a long number', '1234567890', 'volatile', 'number'],
  ])(
    '[ANL13] are volatile for %s, of which some are meant where they are said',
    (_, text, told, said) => {
      expect(typesIn(text)).toBe(told);
      expect(typesIn(text, true)).toBe(said);
    },
  );

  it.each([
    ['a fraction', '0.07693672718683238', 'number'],
    ['a power of ten', '7.693672718683238e-17', 'name'],
    ['a large power of ten', '7.693672718683238e+17', 'name plain number'],
    ['an amount', '1,234,567,890.25', 'number'],
    ['a list of numbers', '3,1,4,1,5,9,2,6,5,3,5', 'number'],
    ['seconds since 1970 with a fraction', '1732999999.125', 'volatile'],
    ['an address', '192.168.100.123', 'number'],
    ['an appointment', '2026-12-01T10:30:00-05:00', 'name'],
    ['an hour of a clock', '10:30:00', 'volatile'],
    ['a day', '2026-12-01T00:00:00.000Z', 'name'],
    ['a day with an hour', '2026-12-01T10:30', 'name'],
    ['a time of a clock', '2026-12-01T10:30:07.120-05:00', 'volatile'],
    ['a version', 'v1.2.13', 'name'],
    ['a name with numbers', 'run_1_2_3_4', 'name'],
    ['a random id', 'x1y2z3', 'volatile'],
  ])('[ANL13] carry meaning as figures, and as times and ids do not: %s', (_, text, types) => {
    expect(typesIn(text)).toBe(types);
  });

  it.each([
    ['[x] done', 'number plain word'],
    ['[ ] done', 'word'],
    ['[xy] done', 'plain word'],
    ['✓ done', 'number word'],
    ['☐ done', 'word'],
  ])('[ANL8] have a number for each box that is ticked: %s', (text, types) => {
    expect(typesIn(text)).toBe(types);
  });

  it('[ANL8] number the boxes that are ticked', () => {
    const [first, second] = termsIn('✓ ✓');
    expect(first).not.toBe(second);
    expect(termsIn('[x]')[0]).toBe(first);
  });

  it.each([
    ['Gardener', 'gardens', true],
    ['garden', 'garlic', false],
    ['über-', 'ÜBER', true],
    ['каталог', 'каталоги', true],
    ['가다마', '가다바', true],
    ['가다마', '가바마', false],
    ['ありがとう', 'ありがとね', true],
    ['ありがとう', 'ありとがう', false],
    ['水车', '车水', false],
    ['v-1', 'v-2', false],
  ])('[ANL1] are compared by their stems: %s, %s', (one, other, is) => {
    const [first] = termsIn(one);
    const [second] = termsIn(other);
    expect(first === second).toBe(is);
  });

  it('[ANL1] are 4,096 at most, and all that follows is still compared', () => {
    const long = (end: string): string => `${'river mill '.repeat(3000)}${end}`;
    expect(reading(long('one')).count).toBe(4096);
    expect(reading(long('one')).literal).not.toBe(reading(long('two')).literal);
    expect(reading(long('one')).exact).not.toBe(reading(long('two')).exact);
  });
});

describe('two texts', () => {
  it.each([
    ['case', 'The Mill', 'the mill', true],
    ['spacing around them', ' the mill \n', 'the mill', true],
    ['the time', 'at 12:40:07 the mill', 'at 12:41:09 the mill', true],
    ['spacing within them', 'the  mill', 'the mill', false],
    ['sentence marks', 'the mill!', 'the mill', false],
  ])('[LAP2] are the same to the letter but for %s', (_, one, other, is) => {
    expect(reading(one).literal === reading(other).literal).toBe(is);
    expect(reading(one).exact).toBe(reading(other).exact);
  });

  it.each([
    ['words', 'the mill', 'the river'],
    ['endings', 'gardener', 'gardens'],
    ['numbers', 'row 17', 'row 18'],
    ['fractions', 'a loss of 0.07693672718683238', 'a loss of 0.07593672718683238'],
    ['order', 'river mill', 'mill river'],
    ['place of a time', 'mill 12:40:07 river', '12:40:07 mill river'],
  ])('[LAP2] are not the same with other %s', (_, one, other) => {
    expect(reading(one).literal).not.toBe(reading(other).literal);
    expect(reading(one).exact).not.toBe(reading(other).exact);
  });

  it.each([1, 31, 32, 33, 1023, 1024, 1025, 5000, 65_535, 65_536, 70_000])(
    '[LAP2] are read alike at any length: %i',
    (length) => {
      const text = 'The mill by the river has a wheel. '.repeat(2001).slice(0, length - 1);
      for (const end of ['x', 'ü', '水']) {
        const { literal } = reading(text + end);
        expect(reading((text + end).toUpperCase()).literal).toBe(literal);
        expect(reading(text).literal).not.toBe(literal);
        expect(reading(`${text}y`).literal).not.toBe(literal);
      }
    },
  );

  it('[LAP2] are compared one by one, with the words of all', () => {
    const reader = reading('the mill');
    reader.begin();
    reader.read('by the river');
    expect(reader.count).toBe(5);
    expect(reader.literal).toBe(reading('by the river').literal);
    expect(reader.exact).toBe(reading('by the river').exact);
    reader.clear();
    expect(reader.count).toBe(0);
  });

  it.each([
    ['mill river '.repeat(7), false],
    [`${'mill river '.repeat(7)}once`, true],
    ['水车'.repeat(14), false],
    ['水车'.repeat(16), true],
  ])('[REP13] are long from fifteen words on: %s', (text, is) => {
    expect(reading(text).isLong).toBe(is);
  });
});

describe('the tokens that a text takes', () => {
  it.each([
    ['', 0],
    ['mill', 1],
    ['mills', 2],
    ['水车', 2],
    ['mill 水车', 4],
    ['あ', 1],
    ['〿', 1],
    ['〿〿〿〿〿', 2],
  ])('[ANL14] are one for four letters, or for one character: %s', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
