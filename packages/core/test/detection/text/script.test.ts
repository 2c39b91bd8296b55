import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/detection/text/reader/script.ts';

const TYPES = [
  ...['separator', 'symbol', 'letter', 'digit', 'joiner', 'dense', 'kana', 'syllable', 'aksara'],
  'mark',
];

const typeOf = (code: number): string | undefined => TYPES[classify(code)];

describe('a character', () => {
  it.each([
    ['signs', 0x80, 0xbf, 'separator'],
    ['Latin letters with accents', 0xc0, 0xd6, 'letter'],
    ['the sign of multiplication', 0xd7, 0xd7, 'separator'],
    ['more Latin letters', 0xd8, 0xf6, 'letter'],
    ['the sign of division', 0xf7, 0xf7, 'separator'],
    ['the Latin letters after it', 0xf8, 0x2af, 'letter'],
    ['Thai, Lao and Myanmar', 0xe00, 0x109f, 'dense'],
    ['Georgian and Ethiopic', 0x10a0, 0x177f, 'letter'],
    ['Khmer', 0x1780, 0x17ff, 'dense'],
    ['Mongolian', 0x1800, 0x1e9f, 'letter'],
    ['Vietnamese vowels', 0x1ea0, 0x1ef9, 'aksara'],
    ['Greek with accents', 0x1efa, 0x1fff, 'letter'],
    ['marks and pictures', 0x2000, 0x3040, 'separator'],
    ['Hiragana', 0x3041, 0x309f, 'kana'],
    ['Katakana', 0x30a0, 0x30ff, 'letter'],
    ['signs of East Asia', 0x3100, 0x33ff, 'separator'],
    ['Han', 0x3400, 0x9fff, 'dense'],
    ['what follows Han', 0xa000, 0xabff, 'separator'],
    ['Hangul', 0xac00, 0xd7a3, 'syllable'],
    ['halves of pairs', 0xd7a4, 0xf8ff, 'separator'],
    ['compatible Han', 0xf900, 0xfaff, 'dense'],
    ['forms of letters', 0xfb00, 0xff0f, 'separator'],
    ['wide digits', 0xff10, 0xff19, 'digit'],
    ['wide signs', 0xff1a, 0xff20, 'separator'],
    ['wide letters', 0xff21, 0xffdf, 'letter'],
    ['the rest', 0xffe0, 0xffff, 'separator'],
  ])('[ANL1] is known by its code: %s', (_, first, last, type) => {
    expect([typeOf(first), typeOf(last)]).toEqual([type, type]);
  });

  it.each([
    ['aZ', 'letter'],
    ['09', 'digit'],
    ['._-/\\@:,', 'joiner'],
    ['+<>=#$%&', 'symbol'],
    ['!?()[]{}"\'`~^|*; \n', 'separator'],
    ['ʰяش', 'letter'],
    ['कஅ', 'aksara'],
    ['٣७', 'digit'],
    ['\u0300\u0940', 'mark'],
    ['։।', 'separator'],
  ])('[ANL12] is a letter, a digit, a mark or a sign: %s', (characters, type) => {
    expect([...characters].map((one) => typeOf(one.charCodeAt(0)))).toEqual(
      Array.from(characters, () => type),
    );
  });
});
