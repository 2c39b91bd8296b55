import { describe, expect, it } from 'vitest';
import { HistoryDriftDetector } from '../../src/detectors/history-drift.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

function drift(words: readonly string[]): string {
  return timeline(new HistoryDriftDetector(), transcript(words.join(' ')));
}

const opening = [
  'A:"We meet on Monday."',
  'B:"Monday it is then."',
  'A:"Good, on Monday."',
  'B:"See you on Monday."',
  'A:"Monday, then."',
];
const quoted = (times: number): string =>
  JSON.stringify('As was said, on Monday we meet then. '.repeat(times));

describe('HistoryDriftDetector', () => {
  it('[DRI1] trips when the latest messages are three times as long and bring nothing new', () => {
    const grown = Array.from({ length: 10 }, (_, i) => `${i % 2 ? 'A' : 'B'}:${quoted(4 + i)}`);
    expect(drift([...opening, ...grown])).toContain('T');
  });

  it('[DRI2] trips when prompts grow while nothing new is said', () => {
    const calls = Array.from(
      { length: 24 },
      (_, i) =>
        `A#${900 * (i + 1)}/40 A:"As was said, Monday." B#${900 * (i + 1)}/40 B:"Monday, as was said."`,
    );
    expect(drift(calls)).toContain('T');
  });

  it('[DRI3] leaves one long paste alone', () => {
    expect(drift([...opening, `B:${quoted(60)}`, ...opening])).not.toContain('T');
  });

  it('[DRI3] leaves messages alone that grow by something new each time', () => {
    const sections = Array.from({ length: 14 }, (_, i) =>
      Array.from(
        { length: i + 1 },
        (_, j) =>
          `Section ${j + 1} covers topic${j * 37 + 5} of plant${j * 11} since ${1900 + j * 7}.`,
      ).join(' '),
    );
    expect(
      drift(sections.map((text, i) => `${i % 2 ? 'A' : 'B'}:${JSON.stringify(text)}`)),
    ).not.toContain('T');
  });

  it.each([
    [{ ratio: 0.5 }, 'historyDrift.ratio'],
    [{ windowTurns: 0 }, 'historyDrift.windowTurns'],
  ])('[DRI4] refuses %j and names the option', (options, option) => {
    expect(() => new HistoryDriftDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
