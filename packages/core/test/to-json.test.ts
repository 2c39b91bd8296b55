import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSignal, readJson, toJson } from '../src/kit.ts';

class Hidden {
  readonly #value: number;
  constructor(value: number) {
    this.#value = value;
  }
  get isSmall(): boolean {
    return this.#value < 5;
  }
}

function entered(form: FormData, value: string): FormData {
  form.set('a', value);
  return form;
}

describe('toJson', () => {
  it('[JSN1] keeps all that JSON can hold, also beside what it cannot', () => {
    const answer: Record<string, unknown> = { status: 200, total: 10n, rows: [{ id: 1 }] };
    answer.request = { response: answer };
    expect(toJson(answer)).toEqual({
      status: 200,
      total: '10',
      rows: [{ id: 1 }],
      request: { response: '[circular]' },
    });
  });

  it('[JSN1] takes the same object twice for no circle', () => {
    const row = { id: 1 };
    expect(toJson([row, row, 1n])).toEqual([row, row, '1']);
  });

  it.each<[string, () => unknown]>([
    ['a request with a body', () => new Request('http://a/', { method: 'POST', body: 'a' })],
    ['a response', () => new Response('body')],
    ['a blob', () => new Blob(['a'])],
    ['a stream', () => new ReadableStream()],
    ['a stream of the machine', () => Readable.from(['a'])],
    ['a generator', () => [1].values()],
    ['a promise', () => Promise.resolve(1)],
    ['an error', () => new Error('same')],
    ['a function', () => () => 1],
    ['an object with private fields', () => new Hidden(1)],
  ])('[JSN4] tells each occurrence of %s from all others', (_, make) => {
    const one = make();
    const texts = [one, one, make()].map((each) => JSON.stringify(toJson([each])));
    expect(new Set(texts).size).toBe(3);
    expect(texts[0]).toMatch(/^\["\[.+ #\d{1,9}\]"\]$/);
  });

  it.each<[string, (value: string) => object]>([
    ['a map', (value) => new Map([['a', { b: value }]])],
    ['a set', (value) => new Set([value])],
    ['search parameters', (value) => new URLSearchParams({ a: value })],
    ['headers', (value) => new Headers({ a: value })],
    ['a form', (value) => entered(new FormData(), value)],
    ['a request without a body', (value) => new Request('http://a/', { headers: { a: value } })],
  ])('[JSN4] finds %s equal by its entries', (_, make) => {
    expect(toJson([make('1')])).toEqual(toJson([make('1')]));
    expect(toJson([make('1')])).not.toEqual(toJson([make('2')]));
    expect(JSON.stringify(toJson(make('1')))).not.toContain('#');
  });

  it('[JSN1] writes a map that holds itself', () => {
    const map = new Map<string, unknown>([['a', 1]]);
    map.set('self', map);
    expect(toJson({ map, again: new Map([['a', 1]]) })).toEqual({
      map: [
        ['a', 1],
        ['self', '[circular]'],
      ],
      again: [['a', 1]],
    });
  });

  it('[JSN4] writes a response that reports an error by its status', () => {
    const response = new Response('retry in 7 s', { status: 429, statusText: 'Too Many Requests' });
    expect(toJson(response)).toEqual({ status: 429, statusText: 'Too Many Requests' });
  });

  it('[JSN4] finds what can be written as JSON equal: data, dates, bytes, and whoever has fields', () => {
    class Point {
      x = 1;
    }
    const make = () => [
      { a: [1] },
      new Date(7),
      new URL('http://a/'),
      new Uint8Array(2),
      new Point(),
    ];
    expect(toJson(make())).toEqual(toJson(make()));
    expect(JSON.stringify(toJson(make()))).not.toContain('#');
    expect(toJson(new TypeError('no such table'))).toBe('TypeError: no such table');
  });

  it('[JSN2] writes what is too deep for a signal as its text', () => {
    let deep: unknown = 'bottom';
    for (let i = 0; i < 300; i++) deep = [deep];
    expect(toJson(deep)).toBe(JSON.stringify(deep));
  });

  it('[JSN2] gives something that a signal can carry, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
        const call = { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: toJson(value) };
        expect(() => parseSignal({ ...call, result: null })).not.toThrow();
      }),
    );
  });
});

describe('readJson', () => {
  it('[JSN3] reads the JSON that a text holds', () => {
    expect(readJson('{"rows":[{"id":1}],"next":null}')).toEqual({ rows: [{ id: 1 }], next: null });
  });

  it.each(['no JSON', '', '{"half":', '[1e999]', '['.repeat(300) + ']'.repeat(300)])(
    '[JSN3] keeps as text what no signal can carry as JSON: %j',
    (text) => {
      expect(readJson(text)).toBe(text);
    },
  );
});
