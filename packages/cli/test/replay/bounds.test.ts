import type { Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { type Recording, readRecordings } from '../../src/index.ts';
import { replayAll } from '../../src/replay/open-replays.ts';
import { policyOf } from '../../src/replay/policy.ts';
import type { Replayed } from '../../src/replay/replay.ts';

function said(i: number): Signal {
  return { kind: 'message', at: i, agent: 'writer', text: `Chapter ${i} is about ${i * 7919}.` };
}

async function replayed(recordings: AsyncIterable<Recording>): Promise<Replayed[]> {
  const all: Replayed[] = [];
  const rejected = (): void => {
    throw new Error('no signal is wrong');
  };
  for await (const one of replayAll(recordings, { policy: policyOf({}), rejected })) all.push(one);
  return all;
}

describe('a replay', () => {
  it('[CLI10] goes on where a conversation was left, while others speak', async () => {
    const all = await replayed(
      (async function* () {
        for (let i = 0; i < 20; i++) {
          yield { id: `${i % 2}`, source: 'file', signals: [said(i)], isOpen: true };
        }
      })(),
    );
    expect(all.map(({ id, turns }) => [id, turns])).toEqual([
      ['0', 10],
      ['1', 10],
    ]);
  });

  it.each([1, 10_000])(
    '[CLI10] gives conversations in the order in which they began, from pieces of %i bytes',
    async (size) => {
      const lines = ['first', 'second', 'first'].map(
        (conversation, i) => `${JSON.stringify({ ...said(i), conversation })}\n`,
      );
      const text = Buffer.from(lines.join(''));
      const bytes = (async function* () {
        for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
      })();
      const all = await replayed(readRecordings('file', { bytes, broken: () => {} }));
      expect(all.map(({ id, turns }) => [id, turns])).toEqual([
        ['first', 2],
        ['second', 1],
      ]);
    },
  );

  it('[CLI10] keeps at most a thousand conversations open', async () => {
    const all: number[] = [];
    let read = 0;
    const recordings = (async function* () {
      for (; read < 1500; read++) {
        yield { id: `${read}`, source: 'file', signals: [said(read)], isOpen: true };
      }
    })();
    const rejected = (): void => {};
    for await (const _ of replayAll(recordings, { policy: policyOf({}), rejected })) all.push(read);
    expect(all).toHaveLength(1500);
    expect(all[0]).toBe(1000);
  });

  it('[CLI10] counts what was read of an input that breaks off', async () => {
    const found: Replayed[] = [];
    const recordings = (async function* () {
      yield { id: 'a', source: 'file', signals: [said(1)], isOpen: true };
      throw new Error('the disk is gone');
    })();
    const reading = async (): Promise<void> => {
      const options = { policy: policyOf({}), rejected: (): void => {} };
      for await (const one of replayAll(recordings, options)) found.push(one);
    };
    await expect(reading()).rejects.toThrow('the disk is gone');
    expect(found).toHaveLength(1);
  });
});
