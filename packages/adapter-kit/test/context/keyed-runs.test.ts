import { Breaker } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { GuardContext, guardExecute, KeyedRuns } from '../../src/index.ts';

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

  describe.each(['a function', 'a generator'])('and a tool that is %s', (kind) => {
    const MAX_RUN_MS = 60_000;

    function setUpTool(use: () => Promise<string>) {
      const clock = new FakeClock();
      const { now, timers } = clock;
      const breaker = new Breaker({ maxRunMs: MAX_RUN_MS, now, timers });
      const context = new GuardContext(breaker);
      const runs = new KeyedRuns(context, () => ({}));
      const scope = runs.of('a', 'ann');
      const end = scope.run.beginStep?.();
      context.within(scope, () =>
        context.observe({ kind: 'message', at: now(), agent: 'ann', text: 'I will look.' }),
      );
      end?.();
      const tool =
        kind === 'a function'
          ? use
          : async function* () {
              yield await use();
            };
      const used = guardExecute(context, tool, () => ({
        agent: 'ann',
        tool: 'look',
        args: {},
        scope,
        work: () => tool(),
      }));
      const call = async (): Promise<unknown> => {
        const value = used();
        if (kind === 'a function') return value;
        let last: unknown;
        for await (const output of value as AsyncIterable<unknown>) last = output;
        return last;
      };
      return { clock, breaker, scope, call };
    }

    it('[KIT17] do not count the time until a person approves it', async () => {
      const { clock, scope, call } = setUpTool(async () => 'blue');
      clock.advance(60 * MAX_RUN_MS);
      expect(await call()).toBe('blue');
      expect(scope.run.trip).toBeUndefined();
    });

    it('[KIT17] are stopped where it hangs', async () => {
      const { clock, scope, call } = setUpTool(() => new Promise(() => {}));
      const called = call();
      // It is asked for in a later turn.
      await expect.poll(() => clock.advance(MAX_RUN_MS) ?? scope.run.trip?.kind).toBe('limit');
      clock.advance(1_000);
      await expect(called).rejects.toThrow();
    });

    it('[KIT17] rest again after it was refused', async () => {
      const { clock, breaker, scope, call } = setUpTool(async () => 'blue');
      scope.run.conversation.stop('enough');
      await expect(call()).rejects.toThrow('enough');
      breaker.reset();
      clock.advance(60 * MAX_RUN_MS);
      expect(scope.run.conversation.trip).toBeUndefined();
    });
  });
});
