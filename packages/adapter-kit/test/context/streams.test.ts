import { Breaker, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, type Scope } from '../../src/index.ts';
import { streamTool, streamTurn } from '../support/steps.ts';

function setUp() {
  const context = new GuardContext(new Breaker());
  const run = context.openRun();
  const scope: Scope = { run, depth: 0, path: ['crew'] };
  return { context, run, scope };
}

async function collect<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('a stream at a place', () => {
  it('[KIT13] runs every part of it at the place, and its reader elsewhere', async () => {
    const { context, scope } = setUp();
    const places: (string | undefined)[] = [];
    const note = (): number => places.push(context.scope?.path[0]);
    async function* open() {
      note();
      yield 1;
      note();
      yield 2;
      note();
    }
    for await (const _ of context.stream(scope, open)) note();
    expect(places).toEqual(['crew', undefined, 'crew', undefined, 'crew']);
  });

  it('[KIT14] is closed at the place when its reader leaves', async () => {
    const { context, scope } = setUp();
    let closedAt: unknown;
    async function* open() {
      try {
        yield 1;
        yield 2;
      } finally {
        closedAt = context.scope?.path;
      }
    }
    for await (const _ of context.stream(scope, open)) break;
    expect(closedAt).toEqual(['crew']);
  });

  it('[KIT15] passes its return value and its errors on', async () => {
    const { context, scope } = setUp();
    async function* returning() {
      yield 1;
      return 'end';
    }
    const stream = context.stream(scope, returning);
    await stream.next();
    expect(await stream.next()).toEqual({ done: true, value: 'end' });
    async function* failing() {
      yield 1;
      throw new Error('broken off');
    }
    await expect(collect(context.stream(scope, failing))).rejects.toThrow('broken off');
  });

  it('[KIT16] stops waiting for an item when the run is stopped', async () => {
    const { context, run, scope } = setUp();
    async function* open() {
      yield 1;
      await new Promise(() => {});
    }
    const stream = streamTool(context, { agent: 'ann', tool: 'read', args: {}, open });
    await context.within(scope, () => stream.next());
    const next = stream.next();
    run.conversation.stop('enough');
    await expect(next).rejects.toThrow(TrippedError);
  });

  it('[KIT74] asks for nothing if its reader leaves before the first item', async () => {
    const { breaker, turn } = stopped();
    expect(await turn.return(undefined)).toEqual({ done: true, value: undefined });
    expect(await turn.next()).toEqual({ done: true, value: undefined });
    expect(breaker.counters.refusals).toBe(0);
  });

  it('[KIT74] is over once it was refused', async () => {
    const { breaker, turn } = stopped();
    await expect(turn.next()).rejects.toThrow(TrippedError);
    expect(await turn.next()).toEqual({ done: true, value: undefined });
    expect(breaker.counters.refusals).toBe(1);
  });
});

function stopped() {
  const breaker = new Breaker();
  breaker.stop('enough');
  async function* open(): AsyncGenerator<string, void> {
    yield 'Hello.';
  }
  const said = (text: string): string => text;
  const info = { agent: 'ann', open, said, rehearsed: 'Thank you.' };
  return { breaker, turn: streamTurn(new GuardContext(breaker), info) };
}
