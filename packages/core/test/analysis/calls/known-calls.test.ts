import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../../src/analysis/analyzer.ts';
import { RepetitionDetector } from '../../../src/detectors/repetition.ts';
import type { JsonValue } from '../../../src/index.ts';
import { timeline, transcript } from '../../../src/testing/index.ts';

type Call = readonly [tool: string, args: JsonValue, result: JsonValue];

/** One round after another of calls by one agent. `round` is told its number, from 0. */
function rounds(count: number, round: (i: number) => readonly Call[]): string {
  const calls = Array.from({ length: count }, (_, i) => round(i)).flat();
  const words = calls.map(
    ([tool, args, result]) => `A>${tool}(${JSON.stringify(args)})=${JSON.stringify(result)}`,
  );
  return timeline(new RepetitionDetector(), transcript(words.join(' '), { stepMs: 3000 }));
}

/** An id such as computers draw: hexadecimal, and another one for each `i`. */
function id(i: number, length = 12): string {
  const digits = 'a0b1c2d3e4f5'.repeat(3);
  const shift = (i * 7) % 12;
  return `${digits.slice(shift, shift + length - 2)}${(16 + i).toString(16)}`;
}

const SHELVES = [
  { shelf: 'A-01', article: 'wall plugs 8 mm', count: 412 },
  { shelf: 'A-02', article: 'wall plugs 10 mm', count: 96 },
];
const STATIONS = ['Vlissingen', 'Terneuzen', 'Hansweert', 'Yerseke', 'Westkapelle', 'Roompot'];

describe('calls under other names', () => {
  it('[ANL13] takes a round for the same if only the session that it opened is another', () => {
    const takeStock = (i: number): readonly Call[] => [
      ['open', { aisle: 'A', scanner: 'S3' }, { session: `INV-${id(i, 6)}` }],
      ['list', { session: `INV-${id(i, 6)}`, aisle: 'A' }, { shelves: SHELVES }],
      ['close', { session: `INV-${id(i, 6)}` }, { status: 'closed' }],
    ];
    expect(rounds(6, takeStock)).toContain('T');
  });

  it('[ANL13] leaves the same round for other things alone', () => {
    const takeStock = (i: number): readonly Call[] => [
      ['open', { aisle: `aisle ${i}`, scanner: 'S3' }, { session: `INV-${id(i, 6)}` }],
      [
        'list',
        { session: `INV-${id(i, 6)}`, aisle: `aisle ${i}` },
        { shelves: SHELVES.map((shelf) => ({ ...shelf, count: shelf.count + 17 * i * i })) },
      ],
      ['close', { session: `INV-${id(i, 6)}` }, { status: 'closed' }],
    ];
    expect(rounds(6, takeStock)).not.toContain('T');
  });

  it('[ANL13] takes a call for the same if its caller only makes up another nonce', () => {
    const ask = (i: number): readonly Call[] => [
      ['tide', { station: 'Vlissingen', nonce: id(i, 16) }, { answerId: id(i + 3, 8), cm: 231 }],
    ];
    expect(rounds(8, ask)).toContain('T');
  });

  it('[ANL13] leaves calls with a nonce alone that ask for something else', () => {
    const ask = (i: number): readonly Call[] => [
      [
        'tide',
        { station: STATIONS[i] as string, nonce: id(i, 16) },
        { answerId: id(i + 3, 8), cm: 231 + 13 * i * i },
      ],
    ];
    expect(rounds(6, ask)).not.toContain('T');
  });

  it('[ANL13] takes a page for the same that comes back under every number and cursor', () => {
    const rows = [
      { name: 'Abel', gift: 25 },
      { name: 'Aldous', gift: 100 },
    ];
    const page = (i: number): readonly Call[] => [
      ['donors', { page: i + 1, cursor: id(i) }, { rows, next: id(i + 1) }],
    ];
    expect(rounds(8, page)).toContain('T');
  });

  it('[ANL13] leaves pages alone that are others', () => {
    const page = (i: number): readonly Call[] => [
      [
        'donors',
        { page: i + 1, cursor: id(i) },
        { rows: [{ name: STATIONS[i] as string, gift: 25 + 9 * i * i }], next: id(i + 1) },
      ],
    ];
    expect(rounds(6, page)).not.toContain('T');
  });

  it('[ANL13] takes a text for the same that is sent again, whatever id it gets', () => {
    const text = 'Your parcel has come, please collect it at shelf twelve before Friday evening.';
    const send = (i: number): readonly Call[] => [
      ['send', { to: 'Wang Lin', text }, { sent: true, messageId: `sms-88012${i}` }],
    ];
    expect(rounds(8, send)).toContain('T');
  });

  it('[ANL13] leaves a row of jobs alone that are handed out by id and only acknowledged', () => {
    const work = (i: number): readonly Call[] => [
      ['next_job', { queue: 'mail' }, { job: `job-${id(i, 8)}` }],
      ['run_job', { job: `job-${id(i, 8)}` }, { ok: true }],
    ];
    expect(rounds(12, work)).not.toContain('T');
  });

  it('[ANL13] takes names as they stand where the user has declared what makes calls the same', () => {
    const call = (i: number): string =>
      `A>draw(${JSON.stringify({ seed: id(i, 16) })})={"size":"large","colours":"red green"}`;
    const signals = transcript(Array.from({ length: 8 }, (_, i) => call(i)).join(' '));
    const draws = (options?: AnalyzerOptions): string =>
      timeline(new RepetitionDetector(), signals, new Analyzer(options));
    expect(draws()).toContain('T');
    expect(draws({ tools: { draw: { loopKey: (args) => args } } })).not.toContain('T');
  });

  it('[ANL13] knows the names that mean nothing after being restored', () => {
    const words = Array.from(
      { length: 9 },
      (_, i) => `A>tide(${JSON.stringify({ station: 'Vlissingen', nonce: id(i, 16) })})={"cm":231}`,
    );
    const signals = transcript(words.join(' '), { stepMs: 3000 });
    const whole = new Analyzer();
    const parted = new Analyzer();
    for (const [i, signal] of signals.entries()) {
      const restored = new Analyzer();
      restored.restore(JSON.parse(JSON.stringify(parted.snapshot())) as JsonValue);
      expect(restored.observe(signal).deed, `signal ${i}`).toEqual(whole.observe(signal).deed);
      parted.observe(signal);
    }
  });

  it('[ANL13] keeps no name in a snapshot', () => {
    const analyzer = new Analyzer();
    const secret = 'tok-5f3a9c0e7b21';
    const words = `A>login(me)={"token":"${secret}"} A>get({"token":"${secret}"})={"rows":[1,2]}`;
    for (const signal of transcript(words)) analyzer.observe(signal);
    expect(JSON.stringify(analyzer.snapshot())).not.toContain(secret);
  });

  it('[ANL2] takes arguments in any order for the same', () => {
    const fields = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.jsonValue()), {
      minLength: 2,
      maxLength: 8,
      selector: ([name]) => name,
    });
    const keyOf = (args: JsonValue): unknown =>
      new Analyzer().observe({
        ...{ kind: 'tool-call', at: 0, agent: 'A', tool: 'get', result: { rows: 3 } },
        args,
      }).deed?.key;
    fc.assert(
      fc.property(fields, (entries) => {
        const [args, turned] = [entries, entries.toReversed()].map(
          (list) => Object.fromEntries(list) as JsonValue,
        );
        expect(keyOf(turned as JsonValue)).toBe(keyOf(args as JsonValue));
      }),
    );
  });
});
