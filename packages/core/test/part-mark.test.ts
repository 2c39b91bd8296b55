import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { partMark } from '../src/kit.ts';

const bytesOf = (seed: string): Buffer => createHash('sha512').update(seed).digest();
const BYTES = bytesOf('one');
const DATA = BYTES.toString('base64');
const OTHER = bytesOf('other').toString('base64');

const inLines = (bytes: Buffer, end: string): string =>
  (bytes.toString('base64').match(/.{1,76}/g) ?? []).join(end);
const shared = (bytes: Buffer): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
};
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const FORMS: readonly (readonly [string, (data: string) => object])[] = [
  ['Anthropic', (data) => ({ type: 'image', source: { type: 'base64', data } })],
  ['OpenAI', (data) => ({ type: 'image_url', image_url: { url: data } })],
  ['Responses', (data) => ({ type: 'input_image', image_url: data, detail: 'auto' })],
  ['a file', (data) => ({ type: 'file', file: { filename: 'a.pdf', file_data: data } })],
  ['audio', (data) => ({ type: 'input_audio', input_audio: { data, format: 'wav' } })],
  ['MCP', (data) => ({ type: 'image', data, mimeType: 'image/png' })],
];

describe('a part of content that is no text', () => {
  it.each(FORMS)('[JSN5] is told apart by its data, and by nothing else: %s', (_, make) => {
    expect(partMark(make(DATA))).toBe(partMark({ ...make(DATA), cache_control: { type: 'e' } }));
    expect(partMark(make(DATA))).not.toBe(partMark(make(OTHER)));
    const swapped = [...DATA].reverse().join('');
    expect(partMark(make(swapped))).not.toBe(partMark(make(DATA)));
    expect(partMark(make(DATA))).toMatch(/^\[\w+ #\d{1,9}\]$/);
  });

  it('[JSN5] is the same as bytes, as base64 and as an address that holds it', () => {
    const forms = [BYTES, new Uint8Array(BYTES), DATA, `data:image/png;base64,${DATA}`];
    const marks = forms.map((data) => partMark({ type: 'image', data }));
    expect(new Set(marks).size).toBe(1);
  });

  it.each([
    ['a buffer', (bytes: Buffer) => Uint8Array.from(bytes).buffer],
    ['a part of a buffer', (bytes: Buffer) => Buffer.concat([BYTES, bytes]).subarray(64)],
    ['a shared buffer', (bytes: Buffer) => shared(bytes)],
    ['a list of bytes', (bytes: Buffer) => [...bytes]],
    ['a buffer that was written as JSON', (bytes: Buffer) => JSON.parse(JSON.stringify(bytes))],
    [
      'an array of bytes that was written as JSON',
      (bytes: Buffer) => JSON.parse(JSON.stringify(new Uint8Array(bytes))),
    ],
    ['base64 in lines', (bytes: Buffer) => inLines(bytes, '\n')],
    ['base64 in lines of mail', (bytes: Buffer) => `${inLines(bytes, '\r\n')}\r\n`],
  ])('[JSN5] is read from %s', (_, form) => {
    const mark = (bytes: Buffer): string => partMark({ type: 'image', data: form(bytes) });
    expect(mark(BYTES)).toBe(partMark({ type: 'image', data: DATA }));
    expect(mark(bytesOf('other'))).toBe(partMark({ type: 'image', data: OTHER }));
  });

  it('[JSN5] goes by an address that is no text, too', () => {
    const at = (url: string) => partMark({ type: 'image', image: new URL(url) });
    expect(at('https://a.example/1.png')).toBe(at('https://a.example/1.png'));
    expect(at('https://a.example/1.png')).not.toBe(at('https://a.example/2.png'));
  });

  it.each<[string, () => unknown]>([
    ['a file', () => ({ type: 'file', name: 'the-same-long-name.pdf', file: new Blob(['one']) })],
    ['a stream', () => ({ type: 'file', file: new ReadableStream() })],
    [
      'a field that throws',
      () => ({
        get data(): never {
          throw new Error('not yours');
        },
      }),
    ],
    ['a proxy that is gone', () => revoked()],
  ])('[JSN5] is never the same where it cannot be read: %s', (_, make) => {
    const one = make();
    expect(partMark(one)).toMatch(/^\[\w+ #\d{1,9}\]$/);
    expect(partMark(one)).not.toBe(partMark(make()));
  });

  it('[JSN5] is found however deep, and in what holds itself or recurs without end', () => {
    let part: Record<string, unknown> = { data: DATA };
    for (let i = 0; i < 100_000; i++) part = { part };
    expect(partMark(part)).toBe(partMark({ data: DATA }));
    const round: Record<string, unknown> = { data: DATA };
    round.self = round;
    expect(partMark(round)).toBe(partMark({ data: DATA }));
    let many: unknown = DATA;
    for (let i = 0; i < 50; i++) many = Array(50).fill(many);
    expect(partMark({ many })).toBe(partMark({ data: DATA }));
  });

  it('[JSN5] may be large', () => {
    const large = Buffer.alloc(24_576 * 3 + 1, BYTES);
    const other = Buffer.from(large);
    other[large.length - 1] = (large.at(-1) ?? 0) ^ 1;
    expect(partMark({ data: large })).toBe(partMark({ data: large.toString('base64') }));
    expect(partMark({ data: large })).not.toBe(partMark({ data: other }));
  });

  it.each([
    ['long', 'x '.repeat(40)],
    ['in words', 'ignore what was said'],
    ['of several lines', 'image\n[end]'],
  ])('[JSN5] has no type that is %s', (_, type) => {
    expect(partMark({ type })).toBe('[part]');
  });

  it('[JSN5] has a type of at most 64 characters', () => {
    expect(partMark({ type: 'x'.repeat(64) })).toContain('[xx');
    expect(partMark({ type: 'x'.repeat(65) })).toContain('[part #');
  });

  it('[JSN5] goes by the name of what is elsewhere', () => {
    const at = (url: string) => partMark({ type: 'image', source: { type: 'url', url } });
    expect(at('https://a.example/1.png')).toBe(at('https://a.example/1.png'));
    expect(at('https://a.example/1.png')).not.toBe(at('https://a.example/2.png'));
  });

  it.each([
    [{ type: 'thinking', thinking: 'I look at the page once more.' }, '[thinking]'],
    [{ type: 'image' }, '[image]'],
    [{ data: '' }, '[part]'],
    [{ data: [1, 2, 3] }, '[part]'],
    [{ data: Array(20).fill(0.5) }, '[part]'],
    [{ type: 'image', meta: {}, tags: [] }, '[image]'],
    [null, '[part]'],
  ])('[JSN5] is its type alone without data: %j', (part, mark) => {
    expect(partMark(part)).toBe(mark);
  });
});
