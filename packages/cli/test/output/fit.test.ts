import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitted } from '../../src/output/fit.ts';

const words = (text: string): string => text.replace(/\s+/g, '');

describe('a line that is too long', () => {
  it('[SHOW6] goes on below where its text began', () => {
    const line = '  #17  writer  I have updated the draft as requested, please review it.';
    expect(fitted(line, 44).split('\n')).toEqual([
      '  #17  writer  I have updated the draft as',
      '       requested, please review it.',
    ]);
    expect(fitted('spent 40 turns; would have saved 27 turns and more', 40).split('\n')).toEqual([
      'spent 40 turns; would have saved 27',
      '  turns and more',
    ]);
  });

  it('[SHOW6] stays as it is in a pipe, and so does a table', () => {
    const long = 'word '.repeat(40);
    expect(fitted(long, undefined)).toBe(long);
    const row = `│ ${'x'.repeat(90)} │`;
    expect(fitted(row, 80)).toBe(row);
  });

  it('[SHOW6] has room for characters of two columns', () => {
    const [first = '', second] = fitted('報告書を確認してください。'.repeat(4), 40).split('\n');
    expect(first.length).toBe(19);
    expect(second).toMatch(/^ {2}\S/);
  });

  it('[SHOW6] loses nothing, and fits', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.integer({ min: 40, max: 90 }),
        (text, columns) => {
          const line = text.replace(/\s+/g, ' ');
          const lines = fitted(line, columns).split('\n');
          expect(words(lines.join(''))).toBe(words(line));
          const isTable = /^[┌├│└]/.test(line);
          for (const one of lines) expect(isTable || [...one].length <= columns).toBe(true);
        },
      ),
    );
  });
});
