import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, KeyedRuns } from '../../src/index.ts';

function setUp() {
  const runs = new KeyedRuns(new GuardContext(new Breaker()), () => ({}));
  const conversationOf = (key: object | string): string => runs.of(key, 'ann').run.conversation.id;
  return { runs, conversationOf };
}

describe('runs that have a key', () => {
  it('[KIT112] are the same for all steps with one key, until they end', () => {
    const { runs, conversationOf } = setUp();
    const key = {};
    const [one, other] = [conversationOf(key), conversationOf('b')];
    expect([conversationOf(key), conversationOf('b'), one === other]).toEqual([one, other, false]);
    for (const ended of [key, 'b']) runs.end(ended);
    expect(conversationOf(key)).not.toBe(one);
    expect(conversationOf('b')).not.toBe(other);
  });

  it('[KIT112] are found by the calls of tools that they have asked for, until they end', () => {
    const { runs } = setUp();
    const scope = runs.of('a', 'ann');
    runs.asked('a', ['call 1', 'call 2']);
    expect([runs.ofCall('call 2'), runs.idOfCall('call 1')]).toEqual([scope, 'a']);
    runs.end('a');
    expect([runs.ofCall('call 2'), runs.idOfCall('call 1')]).toEqual([undefined, undefined]);
  });

  it('[KIT113] that have lost an answer go on if they have asked for a call, and end if not', () => {
    const { runs, conversationOf } = setUp();
    const [one, other] = [conversationOf('a'), conversationOf('b')];
    runs.asked('b', ['call 1']);
    for (const id of ['a', 'b', 'c']) runs.lost(id);
    expect(conversationOf('a')).not.toBe(one);
    expect(conversationOf('b')).toBe(other);
  });

  it('[KIT113] beyond a thousand are forgotten, the one that was used least recently first', () => {
    const { runs, conversationOf } = setUp();
    const first = conversationOf('0');
    const second = conversationOf('1');
    for (let id = 2; id < 1_000; id++) conversationOf(`${id}`);
    runs.asked('0', ['call 1']);
    conversationOf('1000');
    expect(conversationOf('0')).toBe(first);
    expect(conversationOf('1')).not.toBe(second);
  });
});
