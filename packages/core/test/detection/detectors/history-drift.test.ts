import { timeline, transcript } from '@teamfuse/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/detection/analyzer.ts';
import {
  HistoryDriftDetector,
  type HistoryDriftOptions,
} from '../../../src/detection/detectors/history-drift.ts';

function drift(words: readonly string[], options?: HistoryDriftOptions): string {
  return timeline(new HistoryDriftDetector(options), transcript(words.join(' ')));
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

/** Two agents go through a ledger; the second one confirms what the first one says. */
function ledger(says: (line: string, before: string) => string): string[] {
  let before = 'Let us go through the ledger, page by page.';
  return Array.from({ length: 20 }, (_, i) => {
    const [page, sum] = [(i >> 1) + 1, ((i >> 1) * 7919 + 1234) % 10_000];
    const line =
      i % 2 === 0
        ? `My own sum for page ${page} is ${sum} euros before tax; please go on.`
        : `Page ${page}: the entries add up to ${sum} euros, and the vouchers are there.`;
    before = says(line, before);
    return `${i % 2 === 0 ? 'A' : 'B'}:${JSON.stringify(before)}`;
  });
}
const quoting = ledger((line, before) => `${line}\n\n${before.replace(/^/gm, '> ')}`);
const plain = ledger((line) => line);

describe('HistoryDriftDetector', () => {
  it('[DRI2] trips when prompts grow while nothing new is said', () => {
    const calls = Array.from(
      { length: 24 },
      (_, i) =>
        `A#${900 * (i + 1)}/40 A:"As was said, Monday." B#${900 * (i + 1)}/40 B:"Monday, as was said."`,
    );
    expect(drift(calls)).toContain('T');
  });

  it('[DRI2] asks for half as much suspicion again where more than two agents take part', () => {
    const said = (agents: string): number =>
      drift(
        Array.from({ length: 40 }, (_, i) => {
          const agent = agents.charAt(i % agents.length);
          return `${agent}#${900 * (i + 1)}/40 ${agent}:"As was said, Monday."`;
        }),
        { stopAt: 8 },
      ).indexOf('T');
    expect(said('AB')).toBe(24);
    expect(said('ABC')).toBe(28);
  });

  it('[DRI5] trips when each message carries the ones before along, whatever else is new', () => {
    expect(drift(quoting)).toMatch(/^\.{5,9}T/);
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

  it('[DRI3] leaves texts of any length alone that say something new', () => {
    let next = 0;
    const words = (count: number) => Array.from({ length: count }, () => `word${next++}`).join(' ');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 30 }), (lengths) => {
        const sorted = lengths.sort((a, b) => a - b);
        const texts = sorted.map((length, i) => `${i % 2 ? 'A' : 'B'}:"${words(length)}"`);
        expect(drift(texts)).not.toContain('T');
      }),
    );
  });

  it('[DRI3] leaves the same lines alone without the quotes', () => {
    expect(drift(plain)).not.toContain('T');
  });

  it('[DRI3] leaves them alone where one agent alone restates all', () => {
    const minutes = quoting.map((quote, i) => (i % 2 === 0 ? (plain[i] ?? '') : quote));
    expect(drift(minutes)).not.toContain('T');
  });

  it('[DRI3] leaves a draft alone that grows between remarks on it', () => {
    const topics = [
      'harbours',
      'lanterns',
      'orchards',
      'glaciers',
      'chimneys',
      'meadows',
      'ferries',
    ];
    let draft = 'The book describes a journey along the coast.';
    const turns = topics.flatMap((topic) => {
      draft += ` It tells how travellers came upon ${topic}.`;
      return [`A:"${draft}"`, `B:"Good. What else did they see besides ${topic}?"`];
    });
    expect(drift(turns)).not.toContain('T');
  });

  const prompts = (...sizes: readonly number[]): string[] => sizes.map((size) => `A#${size}/1`);
  const FIRST = [50, 150, 100, 100, 100];

  it('[DRI6] trips when the latest prompts are on average as many times as long as a user has set', () => {
    const declared = { ratio: 2 };
    expect(drift(prompts(...FIRST, 900, 900, 900, 900), declared)).toBe('.........');
    expect(drift(prompts(...FIRST, 200, 200, 200, 100, 299), declared)).toBe('..........');
    expect(drift(prompts(...FIRST, 200, 200, 200, 100, 300), declared)).toBe('.........T');
    expect(drift(prompts(...FIRST, 900, 900, 900, 900, 900))).toBe('..........');
    const few = { ratio: 2, windowTurns: 2 };
    expect(drift(prompts(100, 100, 200, 200), few)).toBe('...T');
  });

  it('[DRI6] leaves calls out that report no prompt', () => {
    expect(
      drift(prompts(0, 100, 0, 100, 100, 100, 100, 0, 0, 0, 0, 0), { ratio: 1 }),
    ).not.toContain('T');
  });

  const pages = (length: (i: number) => number): string[] =>
    Array.from(
      { length: 10 },
      (_, i) =>
        `${i % 2 ? 'A' : 'B'}:"${Array.from({ length: length(i) }, (_, j) => `page${i * 37 + j * 5}`).join(' ')}"`,
    );

  it('[DRI6] trips when the latest messages are, whatever is new in them', () => {
    const growing = pages((i) => (i < 5 ? 10 : 31));
    expect(drift(growing, { ratio: 3 })).toBe('.........T');
    expect(drift(growing)).toBe('..........');
    expect(
      drift(
        pages(() => 31),
        { ratio: 3 },
      ),
    ).toBe('..........');
  });

  it('[DRI6] is declared, says how much longer they are, and begins anew when a person speaks', () => {
    const analyzer = new Analyzer();
    const detector = new HistoryDriftDetector({ ratio: 2 });
    const found = transcript(prompts(...FIRST, 300, 300, 300, 300, 300).join(' ')).map((signal) =>
      detector.observe(analyzer.observe(signal)),
    );
    expect(found.at(-1)).toMatchObject({
      basis: 'declared',
      reason: 'the latest five prompts are 3 times as long as the first five',
      evidence: { count: 3, limit: 2, indices: [5, 6, 7, 8, 9] },
    });
    const asked = [...prompts(...FIRST), 'P?"Go on."', ...prompts(300, 300, 300, 300, 300)];
    expect(drift(asked, { ratio: 2 })).not.toContain('T');
  });

  it.each([
    [{ ratio: 0.5 }, 'historyDrift.ratio'],
    [{ windowTurns: 0 }, 'historyDrift.windowTurns'],
  ])('[DRI4] refuses %j and names the option', (options, option) => {
    expect(() => new HistoryDriftDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
