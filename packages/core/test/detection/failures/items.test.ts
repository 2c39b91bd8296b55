import { describe, expect, it } from 'vitest';
import { itemsIn } from '../../../src/detection/failures/items.ts';
import { Breaker, type Signal } from '../../../src/index.ts';
import type { JsonValue } from '../../../src/kit.ts';

/** The kind of trip that failing calls for these items end in, each with what comes of it. */
function tripOf(outcome: (item: string) => object, items: readonly string[]): string | undefined {
  const breaker = new Breaker();
  for (const [i, item] of items.entries()) {
    const call = { kind: 'tool-call', at: 300 * i, agent: 'a', tool: 'find' } as const;
    breaker.observe({ ...call, args: { user: item }, ...outcome(item) } as Signal);
  }
  return breaker.conversation().trip?.kind;
}

const reported = (error: string): object => ({ result: { success: false, error } });
const thrown = (message: string): object => ({ error: { message } });
const NUMBERS = Array.from({ length: 12 }, (_, i) => `${40 + 31 * i}`);
const IDS = NUMBERS.map((n) => `3f2a9c1e-7b6d-4e5f-8a9b-0c1d2e3f4${n.padStart(3, '0')}`);

describe('items that fail one after another', () => {
  it.each([
    ['their numbers, as results tell', reported, NUMBERS],
    ['their numbers, as errors tell', thrown, NUMBERS],
    ['their ids', reported, IDS],
    ['numbers within their names', thrown, NUMBERS.map((n) => `order-${n}`)],
  ])('[STO24] are no storm where their errors name %s', (_, told, items) => {
    expect(tripOf((item) => told(`there is no user ${item}`), items)).toBeUndefined();
  });

  it.each([
    ['nothing of them', (_: string) => reported('no connection to the database')],
    ['another number', (item: string) => thrown(`no connection, try ${Number(item) + 1}`)],
  ])('[STO24] are a storm where their errors name %s', (_, outcome) => {
    expect(tripOf(outcome, NUMBERS)).toBeDefined();
  });

  it('[STO24] are a storm where it is the same item each time', () => {
    const failing = (i: number): Signal => ({
      kind: 'tool-call',
      at: 3000 * i,
      agent: 'a',
      tool: 'find',
      args: { user: 17, way: `way ${i * 31}` },
      error: { message: 'there is no user 17' },
    });
    const breaker = new Breaker();
    for (let i = 0; i < 5; i++) breaker.observe(failing(i));
    expect(breaker.conversation().trip?.kind).toBe('execution-storm');
  });
});

describe('the items in an error', () => {
  it.each<[string, string, JsonValue, readonly string[]]>([
    ['a number', 'no user 17', { id: 17 }, ['17']],
    ['a number as text', 'no user 17.', { id: '17' }, ['17']],
    ['one in brackets and quotes', 'no user ("17")', { id: 17 }, ['17']],
    ['deep in the arguments', 'no user 17', { users: [{ id: 17 }] }, ['17']],
    ['several, in a fixed order', 'neither 42 nor 17', { a: 42, b: [17] }, ['17', '42']],
    ['no part of a number', 'no answer from 10.17.0.1', { id: 17 }, []],
    ['no part of a word', 'no user a17', { id: 17 }, []],
    ['no single digit', 'no user 7', { id: 7 }, []],
    ['no place', 'a.ts:17: no name', { line: 17 }, []],
    ['no line', 'line 17 is too long', { line: 17 }, []],
    ['no duration', 'no answer in 17 ms', { wait: 17 }, []],
    ['no word without a number', 'no user ann', { id: 'ann' }, []],
    ['nothing else of a text', 'no user 17', { code: 'find(17)' }, []],
    ['nothing beyond a hundred values', 'no user 17', { a: [...Array(100).fill(0), 17] }, []],
    ['nothing in no arguments', 'no user 17', null, []],
  ])('[STO24] are %s', (_, error, args, items) => {
    expect(itemsIn(error, args)).toEqual(items);
  });
});
