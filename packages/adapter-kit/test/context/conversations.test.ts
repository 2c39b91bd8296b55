import { Breaker } from '@teamfuse/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConversationPool } from '../../src/index.ts';

describe('a pool of conversations', () => {
  it('[KIT10] gives runs one after another the same conversation', () => {
    const breaker = new Breaker();
    const pool = new ConversationPool(breaker, '');
    const { slot, conversation } = pool.acquire();
    pool.release(slot);
    pool.release(slot);
    expect(pool.isIdle).toBe(true);
    expect(pool.acquire().conversation).toBe(conversation);
    expect(conversation.id).toBe('');
  });

  it('[KIT11] never gives a conversation to two runs at the same time', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat({ max: 4 })), { maxLength: 40 }), (commands) => {
        const pool = new ConversationPool(new Breaker(), '');
        const open: ReturnType<ConversationPool['acquire']>[] = [];
        for (const command of commands) {
          if (command === null) open.push(pool.acquire());
          else for (const { slot } of open.splice(command, 1)) pool.release(slot);
          const used = open.map(({ conversation }) => conversation);
          expect(new Set(used).size).toBe(open.length);
          expect(pool.isIdle).toBe(open.length === 0);
        }
      }),
    );
  });

  it('[KIT12] reuses conversations, so that their number does not grow', () => {
    const pool = new ConversationPool(new Breaker(), '');
    const ids = Array.from({ length: 50 }, () => {
      const pair = [pool.acquire(), pool.acquire()];
      for (const { slot } of pair) pool.release(slot);
      return pair.map(({ conversation }) => conversation.id);
    });
    expect(new Set(ids.flat())).toEqual(new Set(['', 'run 2']));
  });
});
