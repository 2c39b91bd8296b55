import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, type Scope } from '../../src/index.ts';

function setUp() {
  const context = new GuardContext(new Breaker());
  const scope: Scope = { run: context.openRun(), depth: 0, path: ['crew'] };
  return { context, scope };
}

async function collect<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('a stream that ends', () => {
  it('[KIT15] is not closed again once it is over, and need not be closable', async () => {
    const { context, scope } = setUp();
    let closed = 0;
    const items = [1, 2];
    const next = async () => {
      const value = items.shift();
      return value === undefined ? { done: true as const, value } : { done: false as const, value };
    };
    const closable = {
      next,
      return: async () => {
        closed += 1;
        return { done: true as const, value: undefined };
      },
    };
    const over = context.stream(scope, () => ({ [Symbol.asyncIterator]: () => closable }));
    expect(await collect(over)).toEqual([1, 2]);
    expect(closed).toBe(0);
    items.push(3, 4);
    for await (const _ of context.stream(scope, () => ({
      [Symbol.asyncIterator]: () => ({ next }),
    })))
      break;
    expect(items).toEqual([4]);
  });

  it('[KIT15] passes through outside of any run', async () => {
    const { context } = setUp();
    async function* open() {
      yield 1;
    }
    expect(await collect(context.stream(undefined, open))).toEqual([1]);
  });
});
