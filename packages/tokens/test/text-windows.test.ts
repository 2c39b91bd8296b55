import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_WINDOW, textWindows } from '../src/text-windows.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3_000 }),
  fc.string({ unit: 'grapheme-composite', minLength: 500, maxLength: 4_000 }),
  fc
    .array(fc.constantFrom('word ', ' ', 'x'.repeat(700), '😀'.repeat(300), 'a.', '"b",', '!?'), {
      maxLength: 40,
    })
    .map((parts) => parts.join('')),
);

describe('textWindows', () => {
  test('[TOK4] joined again are the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect([...textWindows(text)].join('')).toBe(text);
      }),
    );
  });

  test('[TOK4] are never empty, never too long, and never begin inside a character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const window of textWindows(text)) {
          expect(window.length).toBeGreaterThan(0);
          expect(window.length).toBeLessThanOrEqual(LONGEST_WINDOW);
          expect(window).not.toMatch(/^[\udc00-\udfff]/);
        }
      }),
    );
  });

  test('[TOK2] are few: three neighbours are longer than 255 units', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lengths = [...textWindows(text)].map((window) => window.length);
        for (let index = 0; index < lengths.length - 3; index += 1) {
          const [a = 0, b = 0, c = 0] = lengths.slice(index, index + 3);
          expect(a + b + c).toBeGreaterThan(255);
        }
      }),
    );
  });

  test('[TOK4] are cut behind a word where there is no space', () => {
    for (const window of textWindows('{"key":"value"},'.repeat(200))) {
      expect(window).toMatch(/^("|:|\{|\}).*(key|value|,)$/);
    }
  });

  test('[TOK4] are cut before a space where there is one', () => {
    const text = 'word '.repeat(500);
    const [first = '', second = ''] = textWindows(text);
    expect(first.endsWith('word')).toBe(true);
    expect(second.startsWith(' word')).toBe(true);
  });
});
