import { cpuUsage } from 'node:process';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { BytePairCounter } from '../src/index.ts';
import { textWindows } from '../src/text-windows.ts';
import { code, json, prose } from './sample-texts.ts';

let counter: BytePairCounter;

beforeAll(async () => {
  counter = await BytePairCounter.load('o200k_base');
});

/** The least processor time that counting takes, in milliseconds: what else the machine does is not counted. */
function cpuMs(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const start = cpuUsage();
    counter.count(text);
    const { user, system } = cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** `length` characters out of `alphabet`, in no order that a merge cache could profit from. */
function unbroken(alphabet: string, length: number): string {
  const characters = [...alphabet];
  const units: string[] = [];
  for (let index = 0, state = 1; index < length; index += 1) {
    state = (state * 48_271) % 2_147_483_647;
    units.push(characters[state % characters.length] ?? '');
  }
  return units.join('');
}

const chinese = String.fromCharCode(...Array.from({ length: 5_000 }, (_, index) => 0x4e00 + index));

describe('counts', () => {
  test.each([
    ['', 0],
    ['Hello, world!', 4],
    ['hello world', 2],
    ['aaaaaaaaaaaaaaaa', 2],
    ['漢字', 2],
  ])('[TOK1] %j as %i tokens', (text, tokens) => {
    expect(counter.count(text)).toBe(tokens);
  });

  test('[TOK1] short texts as the encoding does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(counter.count(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
      }),
    );
  });

  test.each([
    { kind: 'prose', text: prose },
    { kind: 'code', text: code },
    { kind: 'JSON without spaces', text: json },
  ])('[TOK3] $kind within 0.01 % of the encoding', ({ text }) => {
    const whole = countTokens(text);
    expect(whole).toBeGreaterThan(20_000);
    expect(Math.abs(counter.count(text) - whole)).toBeLessThanOrEqual(whole * 0.0001);
  });

  test('[TOK3] any text within one token a window', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1_000, maxLength: 6_000 }), (text) => {
        const difference =
          counter.count(text) - countTokens(text, { disallowedSpecial: new Set() });
        expect(Math.abs(difference)).toBeLessThanOrEqual([...textWindows(text)].length);
      }),
      { numRuns: 20 },
    );
  });

  test('[TOK5] control tokens as text', () => {
    expect(counter.count('<|endoftext|>')).toBe(7);
  });

  test('[TOK6] messages with what the protocol adds', () => {
    expect(counter.countMessages([])).toBe(3);
    expect(counter.countMessages([{ content: 'hello world' }])).toBe(3 + 3 + 2);
    expect(counter.countMessages([{ content: 'hello world', name: 'coder' }])).toBe(3 + 3 + 2 + 2);
  });

  test.each([
    [{ messages: [] }, 'messages: expected an array'],
    ['hello', 'messages: expected an array'],
    [[{ content: {} }], 'messages[0].content: expected text, received a value of type object'],
  ])('[TOK9] refuses %j as messages', (messages, said) => {
    expect(() => counter.countMessages(messages as never)).toThrow(said);
  });
});

const PARTS = 8;

describe('time', () => {
  test.each([
    { kind: 'one letter', alphabet: 'a', length: 200_000 },
    { kind: 'letters', alphabet: 'abcdefghijklmnopqrstuvwxyz', length: 200_000 },
    { kind: 'digits', alphabet: '0123456789', length: 200_000 },
    { kind: 'punctuation', alphabet: '!?.,;:-_#+*', length: 200_000 },
    { kind: 'line ends', alphabet: '\n', length: 200_000 },
    { kind: 'Chinese', alphabet: chinese, length: 67_000 },
    { kind: 'emoji', alphabet: '😀😃😄😁😆', length: 50_000 },
  ])('[TOK2] grows no faster than a text of unbroken $kind', ({ alphabet, length }) => {
    const text = unbroken(alphabet, length);
    cpuMs(text.slice(0, length / PARTS));
    const [part, whole] = [cpuMs(text.slice(0, length / PARTS)), cpuMs(text)];
    // Quadratic time would be 64 times as much; collecting garbage costs what it costs.
    expect(whole).toBeLessThan(5 * PARTS * Math.max(part, 5));
  });
});
