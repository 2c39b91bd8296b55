import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../../src/analysis/analyzer.ts';
import { RepetitionDetector } from '../../../src/detectors/repetition.ts';
import type { JsonValue } from '../../../src/index.ts';
import { timeline, transcript } from '../../../src/testing/index.ts';
import { wordAt } from '../../../src/testing/words.ts';

type Call = readonly [tool: string, args: JsonValue, result: JsonValue];
/** The calls of a round, by its number from 0. */
type Flow = (i: number) => readonly Call[];

/** One round after another of calls by one agent. */
function rounds(count: number, round: Flow): string {
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

function uuid(i: number): string {
  return `${id(i, 8)}-${id(i + 1, 4)}-4${id(i + 2, 3)}-a${id(i + 3, 3)}-${id(i + 4)}`;
}

function moment(i: number): string {
  return `2025-10-27T09:14:${11 + i * 3}.639Z`;
}

function others(i: number): JsonValue {
  return ROWS.map((row) => ({ ...row, gift: row.gift + i * i * 7 }));
}

const ROWS = [
  { name: 'Abel', gift: 25 },
  { name: 'Aldous', gift: 100 },
  { name: 'Ames', gift: 250 },
];
const TEXT =
  'Your parcel has come. Please collect it at our shop near the harbour before Friday evening, and bring some proof of your identity with you.';
const ISBN = 9_783_161_484_100;

function session(name: string, next: (i: number) => string, aisle: (i: number) => string): Flow {
  return (i) => [
    ['open', { aisle: aisle(i) }, { [name]: next(i) }],
    ['list', { [name]: next(i) }, { rows: ROWS }],
    ['close', { [name]: next(i) }, { status: 'closed' }],
  ];
}

/** Each loop beside what differs from it in one thing and goes on. */
const TWINS: readonly (readonly [string, Flow, string, Flow])[] = [
  [
    'another session of the same thing',
    session(
      'session',
      (i) => `INV-${id(i, 6)}`,
      () => 'A',
    ),
    'of another thing each time',
    session(
      'session',
      (i) => `INV-${id(i, 6)}`,
      (i) => `${i * i + 17}`,
    ),
  ],
  [
    'a session in a field that is volatile by its name',
    session(
      'session_id',
      (i) => `QXW${'KLMNPRST'[i % 8]}T7`,
      () => 'A',
    ),
    'of another thing each time',
    session(
      'session_id',
      (i) => `QXW${'KLMNPRST'[i % 8]}T7`,
      (i) => `${i * i + 17}`,
    ),
  ],
  [
    'a nonce and a moment',
    (i) => [['tide', { at: 'Yerseke', nonce: id(i, 16), asked: moment(i) }, { cm: 231 }]],
    'a key that is what is asked for',
    (i) => [['tide', { at: 'Yerseke', gauge: id(i, 16), asked: moment(i) }, { cm: 231 }]],
  ],
  [
    'a page that comes back at every offset',
    (i) => [['donors', { offset: i * 50, limit: 50 }, { rows: ROWS, more: true }]],
    'pages whose gifts are others',
    (i) => [['donors', { offset: i * 50, limit: 50 }, { rows: others(i), more: true }]],
  ],
  [
    'a page that comes back under every number and cursor',
    (i) => [['donors', { page: i + 1, cursor: id(i) }, { rows: ROWS, next: id(i + 1) }]],
    'pages whose gifts are others',
    (i) => [['donors', { page: i + 1, cursor: id(i) }, { rows: others(i), next: id(i + 1) }]],
  ],
  [
    'a text that is sent again and gets another id',
    (i) => [['send', { to: 'Wang Lin', text: TEXT }, { sent: true, id: `sms-88012${i}` }]],
    'to somebody else each time',
    (i) => [
      ['send', { to: `${612_340 + i * 71}`, text: TEXT }, { sent: true, id: `sms-88012${i}` }],
    ],
  ],
];

/** Work that looks like one call under other names. */
const BATCHES: readonly (readonly [string, Flow])[] = [
  ['rows that are all valid', (i) => [['validate_row', { row: i + 1 }, { result: 'valid' }]]],
  [
    'windows without an entry',
    (i) => [['query', { start: i * 3600, hours: 1 }, 'no entries found']],
  ],
  [
    'orders that are all on their way',
    (i) => [
      [
        'get_order',
        { order: `${48_213 + i * 317}` },
        { status: 'shipped', carrier: 'DHL', warehouse: 'Rotterdam' },
      ],
    ],
  ],
  [
    'books that are all there',
    (i) => [['is_in_stock', { isbn: `${ISBN + i * 1237}` }, { stock: 'available' }]],
  ],
  [
    'commits that all fail',
    (i) => [['run_tests', { commit: id(i, 10) }, { outcome: 'failed', tests: 1 }]],
  ],
  [
    'hashes that are all clean',
    (i) => [
      ['virus_lookup', { sha256: id(i, 32) }, { verdict: 'clean', engines: 70, detections: 0 }],
    ],
  ],
  [
    'hashes that are all as clean',
    (i) => [['lookup', { sha256: id(i, 32) }, { engines: 70, votes: 12 }]],
  ],
  [
    'parts that are all stored',
    (i) => [['upload_part', { upload: 'u-77', part: i + 1, sha: id(i, 16) }, { status: 'stored' }]],
  ],
  [
    'moments without an error',
    (i) => [
      [
        'errors_at',
        { service: 'api', at: `2025-03-01T14:${30 + i}:15Z` },
        { result: 'no errors found in interval' },
      ],
    ],
  ],
  [
    'requests that are all approved in kind words',
    (i) => [
      ['approve', { pr: 311 + i }, { state: 'approved', mergeable: 'clean', checks: 'passing' }],
    ],
  ],
  [
    'machines that are all alike',
    (i) => [
      [
        'create',
        { type: 'medium', region: 'north', image: 'ubuntu', disk: 50, role: 'worker' },
        { instance: `i-${id(i)}`, state: 'pending' },
      ],
    ],
  ],
  [
    'jobs from a queue',
    (i) => [
      ['next_job', { queue: 'mail' }, { job: `job-${id(i, 8)}` }],
      [
        'run_job',
        { job: `job-${id(i, 8)}` },
        { status: 'completed', message: 'Job processed successfully' },
      ],
    ],
  ],
];

describe('calls under other names', () => {
  it.each(TWINS)('[ANL13] are the same under %s', (_, loop) => {
    expect(rounds(8, loop)).toContain('T');
  });

  it.each(TWINS.map(([, , ...twin]) => twin))('[ANL13] are others: %s', (_, flow) => {
    expect(rounds(8, flow)).not.toContain('T');
  });

  it.each(BATCHES)('[ANL15] are a batch: %s', (_, flow) => {
    expect(rounds(16, flow)).not.toContain('T');
  });

  it('[ANL13] takes names for nonces that are called so and bring the same three times', () => {
    const ask: Flow = (i) => [['tide', { at: 'Yerseke', nonce: id(i, 16) }, { cm: 231 }]];
    // From the third on they are known to be the same, and three of those are a repetition.
    expect(rounds(5, ask)).toBe('....T');
  });

  it('[ANL13] takes a number for a nonce where the name of its field says so', () => {
    const ask = (field: string): Flow => {
      return (i) => [
        ['find', { q: 'invoices', [field]: 48_391 + i * i * 7919 }, 'nothing found in it'],
      ];
    };
    expect(rounds(8, ask('request_id'))).toContain('T');
    expect(rounds(8, ask('customer'))).not.toContain('T');
  });

  it('[ANL13] takes names for others that somebody has said before', () => {
    const orders = [0, 1, 2, 3, 4, 5].map((i) => `order-${id(i)}`);
    const get = orders.map((order): Call => ['get', { order }, { rows: ROWS }]);
    expect(rounds(1, () => get)).toContain('T');
    expect(rounds(1, () => [['inbox', {}, `Please: ${orders.join(', ')}.`], ...get])).not.toContain(
      'T',
    );
  });

  it('[ANL15] are a batch: a text that goes to one person after the other', () => {
    const letter = 'We shall meet at half past nine instead of ten.';
    const send: Flow = (i) => [['send', { to: wordAt(i * i), text: letter }, { state: 'queued' }]];
    expect(rounds(26, send)).not.toContain('T');
    expect(rounds(26, (i) => send(i % 6))).toContain('T');
  });

  it('[ANL15] are no batch if an answer full of figures never changes', () => {
    const get: Flow = (i) => [['city', { code: 1000 + i * i * 37 }, { rows: ROWS, total: 4711 }]];
    expect(rounds(16, get)).toContain('T');
  });

  it('[ANL13] knows names by the list that handed them out, even if they are volatile by their form', () => {
    const ids = Array.from({ length: 6 }, (_, i) => uuid(i));
    const list: Call = ['list_emails', { folder: 'inbox' }, { ids }];
    const get = ids.map((email): Call => ['get', { email }, { rows: ROWS }]);
    expect(rounds(1, () => get)).toContain('T');
    expect(rounds(1, () => [list, ...get])).not.toContain('T');
  });

  it('[ANL13] takes names as they stand where the user has declared what makes calls the same', () => {
    const call = (i: number): string =>
      `A>draw(${JSON.stringify({ seed: id(i, 16) })})={"width":1200,"height":640,"colours":256,"name":"old harbour with fishing boats"}`;
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
