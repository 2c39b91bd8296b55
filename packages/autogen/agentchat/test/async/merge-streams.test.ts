import { describe, expect, it } from 'vitest';
import { mergeStreams } from '../../src/async/merge-streams.ts';

async function collect<T>(generator: AsyncGenerator<T, void>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of generator) items.push(item);
  return items;
}

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('mergeStreams', () => {
  it('[TEAM15] yields the items of all as they arrive', async () => {
    const { opened, open } = gate();
    const slow = async function* () {
      await opened;
      yield 'slow';
    };
    const fast = async function* () {
      yield 'fast 1';
      yield 'fast 2';
      open();
    };
    expect(await collect(mergeStreams([slow(), fast()], () => {}))).toEqual([
      'fast 1',
      'fast 2',
      'slow',
    ]);
  });

  it('[TEAM15] ends all when one throws, and waits until they have ended', async () => {
    const { opened, open } = gate();
    const ended: string[] = [];
    const working = async function* () {
      try {
        yield 'working';
        await opened;
        ended.push('noticed');
        yield 'never seen';
      } finally {
        ended.push('closed');
      }
    };
    const failing = async function* () {
      yield 'failing';
      throw new Error('stop all');
    };
    const run = collect(mergeStreams<string>([working(), failing()], open));
    await expect(run).rejects.toThrow('stop all');
    expect(ended).toEqual(['noticed', 'closed']);
  });

  it('[DEV4] ends all when the reader leaves', async () => {
    const ended: string[] = [];
    const endless = async function* (name: string) {
      try {
        for (;;) yield name;
      } finally {
        ended.push(name);
      }
    };
    for await (const _item of mergeStreams([endless('a'), endless('b')], () => {})) break;
    expect(ended.sort()).toEqual(['a', 'b']);
  });

  it('[TEAM15] yields nothing without generators', async () => {
    expect(await collect(mergeStreams([], () => {}))).toEqual([]);
  });
});
