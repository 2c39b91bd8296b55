import { parsePolicy } from '@teamfuse/config';
import { TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { installOn } from '../src/index.ts';

const NOTHING = parsePolicy('', 'teamfuse.toml');

describe('functions in a list', () => {
  const done: string[] = [];
  const step = (name: string) => () => {
    done.push(name);
  };

  it.each([
    ['without names', ['load', 'clean', 'train', 'save'].map(step)],
    ['of one name', ['load', 'clean', 'train', 'save'].map((name) => ({ run: step(name) }))],
  ])('[ION24] are told apart %s, as four steps after one another', (_, steps) => {
    done.length = 0;
    const { guarded } = installOn(steps as readonly (object | (() => void))[], NOTHING);
    for (const one of guarded) (typeof one === 'function' ? one : Object(one).run)();
    expect(done).toEqual(['load', 'clean', 'train', 'save']);
  });

  it('[ION24] have one name where they are one, whose third call is refused', () => {
    done.length = 0;
    const load = step('load');
    const { guarded } = installOn([load, load, load], NOTHING);
    guarded[0]?.();
    guarded[1]?.();
    expect(guarded[2]).toThrow(TrippedError);
    expect(done).toEqual(['load', 'load']);
  });
});

describe('a guarded function', () => {
  it('[ION4] keeps arguments, this, result and properties', () => {
    const counter = {
      count: 1,
      add: Object.assign(
        function add(this: { count: number }, n: number) {
          return this.count + n;
        },
        { unit: 'pieces' },
      ),
    };
    const { guarded } = installOn(counter.add, NOTHING);
    expect([guarded.call(counter, 2), guarded.unit, guarded.name]).toEqual([3, 'pieces', 'add']);
  });

  it('[ION4] answers later where the function does', async () => {
    const { guarded } = installOn(async (n: number) => n + 1, NOTHING);
    await expect(guarded(1)).resolves.toBe(2);
  });

  it('[ION4] throws what the function throws', async () => {
    const error = new RangeError('too large');
    const { guarded } = installOn(
      {
        now: () => {
          throw error;
        },
        later: () => Promise.reject(error),
      },
      NOTHING,
    );
    expect(guarded.now).toThrow(error);
    await expect(guarded.later()).rejects.toBe(error);
  });

  it('[ION5] reports each call with its result or error', async () => {
    const guard = installOn(
      async (n: number) => {
        if (n > 1) throw new RangeError('too large');
        return { n };
      },
      NOTHING,
      { now: () => 17 },
    );
    const signals: unknown[] = [];
    guard.breaker.on('signal', ({ signal }) => signals.push(signal));
    await guard.guarded(1);
    await guard.guarded(2).catch(() => {});
    const call = { kind: 'tool-call', at: 17, agent: 'code', tool: 'function', durationMs: 0 };
    expect(signals).toEqual([
      { ...call, args: [1], result: { n: 1 } },
      { ...call, args: [2], error: { message: 'too large', code: 'RangeError' } },
    ]);
  });

  it('[ION16] that goes in circles runs twice, and the third call is refused before it runs', () => {
    let runs = 0;
    const search = (_q: string): string => `nothing found (${++runs && 'same'})`;
    const { guarded } = installOn(search, NOTHING);
    for (let i = 0; i < 2; i++) guarded('tides');
    expect(() => guarded('tides')).toThrow(TrippedError);
    expect(runs).toBe(2);
  });

  it.each<[string, (call: number) => unknown[]]>([
    ['a signal', () => [new AbortController().signal]],
    ['options with a time-out', () => [{ signal: AbortSignal.timeout(60_000), limit: 10 }]],
    ['a callback', (call) => [() => call]],
    ['what a host tells of its call', (call) => [{ toolCallId: `call-${call}`, messages: [] }]],
  ])('[ION16] runs twice for the same, whatever comes with it: %s', (_, othersOf) => {
    const seen: string[] = [];
    const search = (q: string, ..._others: unknown[]): string => {
      seen.push(q);
      return 'nothing found';
    };
    const again = installOn(search, NOTHING).guarded;
    for (let call = 0; call < 2; call++) again('tides', ...othersOf(call));
    expect(() => again('tides', ...othersOf(2))).toThrow(TrippedError);
    expect(seen).toEqual(['tides', 'tides']);
    const anew = installOn(search, NOTHING).guarded;
    for (let call = 0; call < 9; call++) anew(`tides ${call}`, ...othersOf(call));
    expect(seen).toHaveLength(11);
  });

  it('[ION16] runs twice with the same error, and not a third time', async () => {
    let runs = 0;
    const { guarded } = installOn(async (_q: string) => {
      runs++;
      throw new Error('no such table: tides');
    }, NOTHING);
    for (let i = 0; i < 2; i++) await expect(guarded('tides')).rejects.toThrow('no such table');
    await expect(guarded('tides')).rejects.toBeInstanceOf(TrippedError);
    expect(runs).toBe(2);
  });

  it('[ION16] runs on while its results differ, or the policy only observes', () => {
    const lines = [
      'The tide rises.',
      'Boats leave.',
      'Fog comes in.',
      'Gulls cry.',
      'Night falls.',
    ];
    const reader = installOn(() => lines.shift(), NOTHING);
    for (let i = 0; i < 5; i++) reader.guarded();
    expect(lines).toEqual([]);
    const watched = installOn(() => 'same', parsePolicy("reaction = 'observe'", 'teamfuse.toml'));
    for (let i = 0; i < 20; i++) watched.guarded();
    expect(watched.breaker.counters.toolCalls).toBe(20);
  });

  it('[ION16] is reported once, however often it has ended the same way', () => {
    const results = ['a', 'a', 'b'];
    const policy = parsePolicy("reaction = 'observe'", 'teamfuse.toml');
    const guard = installOn(() => results.shift() ?? 'end', policy);
    const told: unknown[] = [];
    guard.breaker.on('signal', ({ signal }) => told.push(Object(signal).result));
    for (let i = 0; i < 4; i++) guard.guarded();
    expect(told).toEqual(['a', 'a', 'b', 'end']);
  });

  it('[GATE5] begins as many calls side by side as are allowed, and no more', async () => {
    const allowed = parsePolicy('maxToolCalls = 10', 'teamfuse.toml');
    for (const [asked, ran] of [
      [100, 10],
      [10, 10],
    ] as const) {
      const pay = installOn(async (i: number) => `paid ${i}`, allowed);
      const ends = await Promise.allSettled(
        Array.from({ length: asked }, (_, i) => pay.guarded(i)),
      );
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(ran);
      expect(pay.breaker.counters).toMatchObject({ toolCalls: ran, refusals: asked - ran });
    }
  });

  it('[GATE8] repeats a call side by side no more than nine times before it knows the result', async () => {
    let made = 0;
    const pay = installOn(async (to: string) => `paid ${to} ${made++ && ''}`, NOTHING);
    const ends = await Promise.allSettled(Array.from({ length: 100 }, () => pay.guarded('x')));
    expect(made).toBeLessThanOrEqual(9);
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(100 - made);
  });

  it('[ION5] does not count a refused call inside it as a failure of its own', () => {
    const policy = parsePolicy('maxToolCalls = 2', 'teamfuse.toml');
    const guard = installOn({ inner: () => 1, outer: (): number => guard.guarded.inner() }, policy);
    const signals: string[] = [];
    guard.breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'tool-call') signals.push(signal.tool);
    });
    guard.guarded.inner();
    expect(guard.guarded.outer).toThrow(TrippedError);
    expect(signals).toEqual(['inner']);
    expect(guard.breaker.counters).toMatchObject({ failures: 0, refusals: 1 });
  });

  it('[ION5] waits for a judge that is waited for', async () => {
    const judge = { confirm: () => true, askAt: 0.1, blocking: true };
    const { guarded } = installOn(async (_n: number) => 'still the same as before', NOTHING, {
      judge,
    });
    const calls = Array.from({ length: 12 }, (_, n) => n);
    const outcome = calls.reduce<Promise<unknown>>(
      (before, n) => before.then(() => guarded(n)),
      Promise.resolve(),
    );
    await expect(outcome).rejects.toBeInstanceOf(TrippedError);
  });

  it('[ION6] may be one of an object, and everything else in it is passed on', () => {
    const guard = installOn({ version: 3, add: (a: number, b: number) => a + b }, NOTHING);
    expect(guard.guarded.version).toBe(3);
    expect(guard.guarded.add(1, 2)).toBe(3);
    expect(guard.found).toEqual([{ kind: 'tools', name: '', members: ['add'] }]);
  });

  it('[ION9] is checked by the self-test without being called', async () => {
    let runs = 0;
    const guard = installOn(() => ++runs, NOTHING);
    const { isPassed, checks } = await guard.report();
    expect([isPassed, checks.length, runs]).toEqual([true, 1, 0]);
    expect(guard.breaker.conversation().trip).toBeUndefined();
  });

  it('[ION12] calls on unguarded once the guard is taken off', async () => {
    const policy = parsePolicy('maxToolCalls = 1', 'teamfuse.toml');
    const guard = installOn(() => 'done', policy);
    guard.guarded();
    guard.uninstall();
    expect(guard.guarded()).toBe('done');
    expect((await guard.report()).isPassed).toBe(false);
  });
});
