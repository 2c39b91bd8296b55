import { describe, expect, it } from 'vitest';
import {
  NestedCascadeDetector,
  type NestedCascadeOptions,
} from '../../src/detectors/nested-cascade.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

function cascade(text: string, options?: NestedCascadeOptions): string {
  return timeline(new NestedCascadeDetector(options), transcript(text));
}

describe('NestedCascadeDetector', () => {
  it('[NST1] trips when one trigger starts the same chat a fifth time and nothing comes of it', () => {
    const row = cascade('A{review:check C:"Fine by me." A}ok '.repeat(5));
    expect(row).toContain('T');
    expect(row.indexOf('T')).toBe(4 * 3);
  });

  it('[NST2] trips beyond the allowed depth', () => {
    expect(cascade('A{one B{two C{three', { maxDepth: 2 })).toBe('..T');
  });

  it('[NST2] trips beyond the allowed number', () => {
    expect(cascade('A{one:a A} A{two:b A} A{three:c', { maxTotal: 2 })).toBe('....T');
  });

  it('[NST2] trips when a chat is started a third time inside itself', () => {
    expect(cascade('A{self B{self C{self')).toBe('..T');
  });

  it('[NST3] lets a trigger start chats as long as the outer conversation gets on', () => {
    const sections = Array.from(
      { length: 12 },
      (_, i) =>
        `A:"Section ${i + 1} on topic${i * 31} is written: ${i * 417 + 83} words." A{critic:check C:"Fine by me." A}ok`,
    );
    expect(cascade(sections.join(' '))).not.toContain('T');
  });

  it.each([
    [{ limit: 0 }, 'nestedCascade.limit'],
    [{ maxDepth: -1 }, 'nestedCascade.maxDepth'],
  ])('[NST4] refuses %j and names the option', (options, option) => {
    expect(() => new NestedCascadeDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
