import { describe, expect, it } from 'vitest';
import { JsonReader } from '../../../src/detection/calls/json-reader.ts';
import { TextReader } from '../../../src/detection/text/reader/text-reader.ts';
import { Breaker } from '../../../src/index.ts';
import type { JsonValue } from '../../../src/kit.ts';

const IGNORED: ReadonlySet<string> = new Set(['etag']);

/** What is read of `value`, and how many words. */
function read(value: JsonValue) {
  const reader = new TextReader();
  const json = new JsonReader(reader);
  json.read(value, IGNORED);
  const { literal, masked, tokens } = json;
  return { literal, masked, tokens, words: reader.count };
}

/** A list of many values, of which the last is given. */
const long = (length: number, last: JsonValue): JsonValue[] => [
  ...Array<number>(length - 1).fill(0),
  last,
];

describe('JSON', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['with empty fields', { a: 1 }, { a: 1, b: null, c: {}, d: [] }],
    ['with other ignored fields', { a: [{ etag: 'x' }] }, { a: [{ etag: { y: 1 } }] }],
  ])('[LAP2] is the same %s', (_, one, other) => {
    expect(read(one).literal).toBe(read(other).literal);
    expect(read(one).masked).toBe(read(other).masked);
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['value', { a: 'x' }, { a: 'y' }],
    ['text where a duration may stand', { tookMs: 'soon' }, { tookMs: 'late' }],
    ['truth', { a: true }, { a: false }],
    ['name of a field', { a: 1 }, { b: 1 }],
    ['place of a value', { a: { b: 1 }, c: 2 }, { a: { b: 2 }, c: 1 }],
    ['order of a list', [1, 2], [2, 1]],
    ['place in a list', [null, 1], [1]],
    ['end of a very long list', long(20_001, 'in 31 ms'), long(20_001, 'in 47 ms')],
  ])('[LAP2] is not the same with another %s', (_, one, other) => {
    expect(read(one).literal).not.toBe(read(other).literal);
    expect(read(one).masked).not.toBe(read(other).masked);
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['duration', { a: 1, tookMs: 31 }, { a: 1, tookMs: 4127 }],
    ['duration in a text', ['done in 31 ms'], ['done in 47 ms']],
    ['duration in a long list', long(20_000, 'in 31 ms'), long(20_000, 'in 47 ms')],
  ])('[LAP2] is the same outcome, but another request, with another %s', (_, one, other) => {
    expect(read(one).masked).toBe(read(other).masked);
    expect(read(one).literal).not.toBe(read(other).literal);
  });

  it('[LAP2] is asked for alike, whether its texts are read or not', () => {
    const reader = new TextReader();
    const json = new JsonReader(reader);
    for (const value of [{ a: ['some text', 7], tookMs: 3, etag: 'x', b: null }, 'text', null]) {
      expect(json.literalOf(value, IGNORED)).toBe(read(value).literal);
    }
    expect(reader.count).toBe(0);
    json.read('text', IGNORED);
    expect(reader.count).toBe(1);
  });

  it.each<[string, JsonValue, number]>([
    ['nothing', { a: null }, 0],
    ['a text and its marks', 'x'.repeat(40), 11],
    ['names of fields', { name: 'word' }, 3],
    ['each value of a list', ['word', 12, true], 5],
    ['each of very many values', long(30_000, 0), 45_000],
    ['a duration', { tookMs: 3_141_592 }, 4],
    ['what is ignored', { etag: { a: 1 } }, 4],
  ])('[ANL14] counts the tokens of %s', (_, value, tokens) => {
    expect(read(value).tokens).toBe(tokens);
  });

  it('[ANL14] tells of the latest JSON alone', () => {
    const json = new JsonReader(new TextReader());
    json.read({ a: 'some text' }, IGNORED);
    json.read(['word'], IGNORED);
    const { literal, masked, tokens } = read(['word']);
    expect(json).toMatchObject({ literal, masked, tokens });
  });

  it.each([
    ['stays the same', 0, 'repetition'],
    ['grows', 1, undefined],
  ])('[LAP3] takes calls for a very long list that %s for what they are', (_, growth, kind) => {
    const breaker = new Breaker();
    const call = { kind: 'tool-call', agent: 'a', tool: 'rows', args: {} } as const;
    for (let i = 0; i < 4; i++) {
      breaker.observe({ ...call, at: 1000 * i, result: long(30_000 + growth * i, 7) });
    }
    expect(breaker.conversation().trip?.kind).toBe(kind);
  });
});
