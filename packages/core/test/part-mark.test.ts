import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { partMark } from '../src/kit.ts';

const bytesOf = (seed: string): Buffer => createHash('sha512').update(seed).digest();
const BYTES = bytesOf('one');
const DATA = BYTES.toString('base64');
const OTHER = bytesOf('other').toString('base64');

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

  it('[JSN5] goes by the name of what is elsewhere', () => {
    const at = (url: string) => partMark({ type: 'image', source: { type: 'url', url } });
    expect(at('https://a.example/1.png')).toBe(at('https://a.example/1.png'));
    expect(at('https://a.example/1.png')).not.toBe(at('https://a.example/2.png'));
  });

  it.each([
    [{ type: 'thinking', thinking: 'I look at the page once more.' }, '[thinking]'],
    [{ type: 'image' }, '[image]'],
    [{ data: '' }, '[part]'],
    [null, '[part]'],
  ])('[JSN5] is its type alone without data: %j', (part, mark) => {
    expect(partMark(part)).toBe(mark);
  });
});
