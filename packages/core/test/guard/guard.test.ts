import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  Breaker,
  BudgetExceededError,
  ContextWindowExceededError,
  FunctionGuard,
  guard,
  guardAll,
  guardOf,
  isTripped,
  LoopDetectedError,
  type Trip,
} from '../../src/index.ts';

/** A function that counts its calls. */
function counting<R>(result: (call: number) => R) {
  const calls: unknown[][] = [];
  const fn = (...args: unknown[]): R => {
    calls.push(args);
    return result(calls.length);
  };
  return { fn, calls };
}

function refusal(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

function failWith(message: string): never {
  throw new Error(message);
}

function throwing(message: string, fields: object): never {
  throw Object.assign(new Error(message), fields);
}

describe('a guarded function', () => {
  it('[GFN1] is called twice the same way; the third call throws before it runs', () => {
    const { fn, calls } = counting(() => 'busy');
    const ask = guard(fn, { name: 'ask' });
    ask({ q: 'tides', page: 1 });
    ask({ page: 1, q: 'tides' });
    const error = refusal(() => ask({ q: 'tides', page: 1 }));
    expect(error).toBeInstanceOf(LoopDetectedError);
    expect(isTripped(error)).toBe(true);
    expect((error as LoopDetectedError).trip).toMatchObject({
      kind: 'repetition',
      agents: ['ask'],
      reason:
        "'ask' would be called for the third time with the same arguments; the result was the same each time",
      evidence: { count: 3, limit: 3, indices: [0, 1] },
    });
    expect(calls).toHaveLength(2);
    expect(ask({ q: 'tides', page: 2 })).toBe('busy');
  });

  it('[GFN1] tells calls apart by their outcome, and by their arguments to the letter', () => {
    const moving = guard((_: string) => moving2());
    let n = 0;
    const moving2 = (): number => [7, 12, 9, 30, 2][n++ % 5] as number;
    for (let i = 0; i < 10; i++) moving('queue');
    const approve = guard((_: object) => 'approved');
    for (const id of ['3f9a6c1e77b2', '9b1c44d0e2aa', '77aa01b2c3d4', 'c0ffee012345']) {
      expect(approve({ id })).toBe('approved');
    }
  });

  it.each([
    [429, (n: number) => `retry in ${n * 7} seconds`],
    [402, (n: number) => `you need $${n * 13} more`],
  ])('[GFN15] decides by a declared signature alone, whatever comes with a %i', (code, told) => {
    const { fn, calls } = counting((n) => {
      throw Object.assign(new Error(told(n)), { code: `${code}` });
    });
    const ask = guard(fn, { signature: (query: unknown) => `orders:${Object(query).status}` });
    for (let i = 0; i < 40; i++) refusal(() => ask({ status: 'open', nonce: i }));
    expect(calls).toHaveLength(2);
    const error = refusal(() => ask({ status: 'open', nonce: 41 }));
    expect((error as Error).message).toBe("the same call of 'fn' would be made for the third time");
  });

  it('[GFN16] forgets calls that are older than half an hour, or than is declared', () => {
    let now = 0;
    const weather = guard((_: string) => 'rain', { now: () => now });
    for (; now <= 5 * 3_600_000; now += 3_600_000) expect(weather('Oslo')).toBe('rain');
    const often = guard(() => 'rain', { now: () => now, forgetAfterMs: 1000 });
    for (let i = 0; i < 20; i++, now += 600) expect(often()).toBe('rain');
    often();
    expect(often).toThrow(LoopDetectedError);
  });

  it('[GFN17] gives its guard, to read, raise and reset it', () => {
    const ask = guard(() => 'same');
    ask();
    ask();
    expect(ask).toThrow(LoopDetectedError);
    expect(guardOf(ask)?.counters).toMatchObject({ calls: 2, refusals: 1, trips: 1 });
    guardOf(ask)?.reset();
    expect(ask()).toBe('same');
    expect(guardOf(() => 1)).toBeUndefined();
  });

  it('[GFN17] keeps no other call waiting once one was refused, nor those that run beside each other', async () => {
    const ask = guard(async (q: string) => q);
    for (let i = 0; i < 2; i++) await ask('a');
    await expect(ask('a')).rejects.toThrow(LoopDetectedError);
    await expect(Promise.all([ask('b'), ask('c'), ask('d')])).resolves.toEqual(['b', 'c', 'd']);
    await expect(ask('e')).resolves.toBe('e');
  });

  it.each([2, 3, 8])('[GFN2] refuses the last call of the third round of %i calls', (length) => {
    const { fn, calls } = counting(() => 'same');
    const step = guard(fn);
    const error = refusal(() => {
      for (let i = 0; i < 100; i++) step(`step ${String.fromCharCode(97 + (i % length))}`);
    });
    expect(error).toBeInstanceOf(LoopDetectedError);
    expect(calls).toHaveLength(3 * length - 1);
    expect((error as LoopDetectedError).trip.evidence.period).toBe(length);
  });

  it('[GFN2] refuses the second call of two rounds, if that is declared', () => {
    const ask = guard(() => 'same', { loop: { repeats: 2 } });
    ask();
    expect(ask).toThrow('for the second time with the same arguments');
  });

  it('[GFN2] looks for cycles of the declared lengths alone', () => {
    const longer = guard((_: string) => 'same', { loop: { minCycleLen: 2 } });
    for (let i = 0; i < 9; i++) longer('a');
    const shorter = guard((_: string) => 'same', { loop: { maxCycleLen: 1 } });
    for (let i = 0; i < 20; i++) shorter('ab'[i % 2] as string);
    const narrow = guard((_: string) => 'same', { loop: { windowSize: 5 } });
    for (let i = 0; i < 20; i++) narrow('ab'[i % 2] as string);
    expect(() => [1, 2, 3].map(() => narrow('c'))).toThrow(LoopDetectedError);
  });

  it('[GFN2] agrees with a plain search for laps, whatever is called', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (names) => {
        const step = guard((_: string) => 'same', { loop: { maxCycleLen: 4, windowSize: 40 } });
        const made: string[] = [];
        for (const name of names) {
          const isRefused = refusal(() => step(name)) instanceof LoopDetectedError;
          expect(isRefused).toBe(endsInLaps([...made, name], 3));
          if (!isRefused) made.push(name);
        }
      }),
    );
  });

  it('[GFN3] keeps its type, its this and its promises', async () => {
    class Counter {
      count = 0;
      readonly add = guard(function (this: Counter, by: number): number {
        this.count += by;
        return this.count;
      });
    }
    const counter = new Counter();
    expect(counter.add(2)).toBe(2);
    const later = guard(async (text: string) => text.length);
    expectTypeOf(later).toEqualTypeOf<(text: string) => Promise<number>>();
    await expect(later('abc')).resolves.toBe(3);
    await later('abc');
    const refused = later('abc');
    await expect(refused).rejects.toThrow(LoopDetectedError);
    const error = new Error('down');
    const failing = guard(() => Promise.reject(error));
    await expect(failing()).rejects.toBe(error);
  });

  it('[GFN4] counts failures without a status by code, name and message', () => {
    const { fn, calls } = counting((n) => {
      throw Object.assign(new Error(`${12 - n} tests failed`), { code: 'ECONNRESET' });
    });
    const ask = guard(fn);
    for (let i = 0; i < 3; i++) refusal(() => ask('a'));
    // The message counts down: another failure each time.
    expect(calls).toHaveLength(3);
    const failing = guard((_: string) => ({ ok: false, trace: Math.random() }), {
      isFailure: ({ ok }) => !ok,
    });
    failing('x');
    failing('x');
    expect(() => failing('x')).toThrow(LoopDetectedError);
  });

  it.each<[string, (status: number, said: string) => unknown]>([
    ['is thrown', (status, said) => throwing(said, { status })],
    ['is thrown with a response', (status, said) => throwing(said, { response: { status } })],
    ['is returned', (status, error) => ({ status, error })],
    ['is returned as a text', (status, said) => `HTTP ${status}: ${said}`],
    ['is a response', (status, said) => new Response(said, { status })],
  ])('[GFN4] counts a failure by its status and title where it %s', (_, give) => {
    const told: Record<number, (n: number) => string> = {
      402: (n) => `you need $${n * 13} more`,
      429: (n) => `retry in ${n * 7} seconds`,
      404: (n) => `no page, ref ${n * 31}`,
    };
    for (const [status, say] of Object.entries(told)) {
      const { fn, calls } = counting((n) => give(Number(status), say(n)));
      const ask = guard(fn, { now: () => 0 });
      for (let i = 0; i < 40; i++) refusal(() => ask('a'));
      expect(calls).toHaveLength(2);
      for (let i = 0; i < 10; i++) refusal(() => ask(`page ${i}`));
      expect(calls).toHaveLength(12);
    }
    const changing = counting((n) => give([402, 500, 402, 404][n % 4] as number, 'no'));
    const other = guard(changing.fn, { now: () => 0 });
    for (let i = 0; i < 4; i++) refusal(() => other('a'));
    expect(changing.calls).toHaveLength(4);
  });

  it('[GFN4] is patient with errors worth another try, but not for ever', () => {
    const { fn, calls } = counting(() => {
      throw Object.assign(new Error('slow down'), { code: 429 });
    });
    const ask = guard(fn, { isRetryable: (error) => Object(error).code === 429 });
    for (let i = 0; i < 60; i++) refusal(() => ask('a'));
    expect(calls.length).toBeGreaterThan(15);
    expect(calls.length).toBeLessThanOrEqual(22);
  });

  it('[GFN5] exceeds no budget: what is under way is reserved, what it cost is settled', async () => {
    const ends: (() => void)[] = [];
    const ask = guard(
      (_: string) =>
        new Promise<{ costUsd: number }>((resolve) => {
          ends.push(() => resolve({ costUsd: 0.4 }));
        }),
      { budget: { maxUsd: 1 }, estimate: () => 0.5, cost: (_input, { costUsd }) => costUsd },
    );
    const [a, b] = [ask('a'), ask('b')];
    await expect(ask('c')).rejects.toThrow(BudgetExceededError);
    for (const end of ends) end();
    await Promise.all([a, b]);
    // 0.80 spent and 0.50 needed.
    await expect(ask('d')).rejects.toThrow('$0.80 spent, $0.50 needed');
  });

  it.each<[string, () => number, object]>([
    ['throws', () => failWith('no usage'), { message: 'no usage' }],
    ['is no amount', () => Number.NaN, { option: 'cost' }],
  ])('[GFN5] counts a call by its estimate where its cost %s', async (_, cost, error) => {
    const errors: unknown[] = [];
    const onError = (one: unknown) => errors.push(one);
    const options = { budget: { maxUsd: 1 }, estimate: () => 0.6, loop: false } as const;
    const ask = guard(async (n: number) => n, { ...options, cost, onError });
    await expect(ask(1)).resolves.toBe(1);
    expect(errors).toMatchObject([error]);
    await expect(ask(2)).rejects.toThrow(BudgetExceededError);
  });

  it('[GFN13] keeps its result and its error, whatever fails once the call has ended', async () => {
    const errors: string[] = [];
    const options = {
      cost: () => failWith('cost'),
      isFailure: () => failWith('isFailure'),
      isRetryable: () => failWith('isRetryable'),
      onError: (error: unknown) => errors.push((error as Error).message),
    };
    const answer = {
      get status() {
        return failWith('status');
      },
    };
    expect(guard(() => answer, options)()).toBe(answer);
    await expect(guard(async () => answer, options)()).resolves.toBe(answer);
    expect(() => guard(() => failWith('down'), options)()).toThrow('down');
    await expect(guard(async () => failWith('gone'), options)()).rejects.toThrow('gone');
    const [ended, failed] = [['cost', 'isFailure'], ['isRetryable']];
    expect(errors).toEqual([...ended, ...ended, ...failed, ...failed]);
  });

  it.each([
    ['throws', () => failWith('listener')],
    ['rejects', async () => failWith('listener')],
  ])('[GFN13] keeps its result where its onError %s', async (_, onError) => {
    expect(guard(() => 1, { cost: () => failWith('cost'), onError })()).toBe(1);
    await new Promise(setImmediate);
  });

  it('[GFN13] counts no call as failed for a promise of its isFailure', async () => {
    const errors: string[] = [];
    const late = (): never => Promise.reject(new Error('of no matter')) as never;
    const onError = (error: unknown): unknown => errors.push(String(error));
    expect(guard(() => 1, { cost: late, isFailure: late, onError })()).toBe(1);
    await new Promise(setImmediate);
    const problem = 'expected an answer at once, received a promise';
    expect(errors).toEqual([`TypeError: cost: ${problem}`, `TypeError: isFailure: ${problem}`]);
  });

  it('[GFN13] shows the first error on the console where there is no onError', () => {
    const shown = vi.spyOn(console, 'warn').mockReturnValue();
    const ask = guard((n: number) => n, { cost: () => failWith('password=hunter2') });
    ask(1);
    ask(2);
    expect(shown.mock.calls).toEqual([[expect.stringContaining('onError of guard()')]]);
    expect(shown.mock.calls[0]?.[0]).not.toContain('hunter2');
    shown.mockRestore();
  });

  it('[GFN5] forgets spend after the window', () => {
    let now = 0;
    const ask = guard((_: number) => 1, {
      budget: { maxUsd: 1, windowMs: 1000 },
      estimate: () => 0.6,
      now: () => now,
    });
    ask(1);
    expect(() => ask(2)).toThrow(BudgetExceededError);
    now = 1000;
    expect(ask(3)).toBe(1);
  });

  it('[GFN6] refuses what does not fit the context window', () => {
    const ask = guard((prompt: string) => prompt.length, {
      context: { maxContextTokens: 100, headroom: 20 },
      tokens: (prompt) => prompt.length,
    });
    expect(ask('x'.repeat(80))).toBe(80);
    expect(() => ask('x'.repeat(81))).toThrow(ContextWindowExceededError);
  });

  it('[GFN7] asks onTrip, which may let the call go on or raise the limits', async () => {
    const trips: Trip[] = [];
    const go = guard(() => 'same', {
      onTrip: (trip) => {
        trips.push(trip);
        return trips.length < 3 ? 'continue' : 'stop';
      },
    });
    for (let i = 0; i < 4; i++) expect(go()).toBe('same');
    expect(go).toThrow(LoopDetectedError);
    const paid = guard(async (_: number) => 1, {
      budget: { maxUsd: 1 },
      estimate: () => 0.6,
      onTrip: async () => ({ raiseTo: { maxUsd: 2 } }),
    });
    await paid(1);
    await expect(paid(2)).resolves.toBe(1);
    await paid(3);
    await expect(paid(4)).rejects.toBeInstanceOf(BudgetExceededError);
  });

  it.each([undefined, null])('[GFN7] refuses the call where onTrip answers %j', (decision) => {
    const go = guard(() => 'same', { onTrip: () => decision as undefined });
    go();
    go();
    expect(go).toThrow(LoopDetectedError);
  });

  it('[GFN7] refuses at once what answers at once, whatever onTrip promises', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    for (const onTrip of [async () => 'continue' as const, async () => failWith('no pager')]) {
      const go = guard(() => 'same', { onTrip, onError });
      go();
      go();
      expect(go).toThrow(LoopDetectedError);
    }
    await Promise.resolve();
    expect(errors).toEqual([new Error('no pager')]);
  });

  it('[GFN8] may be polled for as long as is declared', () => {
    let now = 0;
    const status = guard(() => 'pending', { polls: { maxWaitMs: 10_000 }, now: () => now });
    for (; now < 10_000; now += 1000) status();
    for (now += 1000; now < 12_000; now += 1000) status();
    expect(status).toThrow(LoopDetectedError);
  });

  it('[GFN8] waits as long again for each new result', () => {
    let now = 0;
    let result = 'queued';
    const status = guard(() => result, { polls: { maxWaitMs: 1000 }, now: () => now });
    for (const next of ['running', 'nearly done', 'done']) {
      for (let i = 0; i < 9; i++, now += 100) expect(status()).toBe(result);
      result = next;
    }
  });

  it('[GFN9] shares one window and one budget with others', () => {
    const tools = guardAll({ read: (_: string) => 'x', list: () => 'y', version: 3 });
    expect(tools.version).toBe(3);
    const round = (): void => {
      tools.list();
      tools.read('a');
    };
    round();
    round();
    expect(round).toThrow('the same two steps for the third time');
    const shared = new FunctionGuard({ budget: { maxUsd: 1 }, estimate: () => 0.4 });
    const [a, b] = [shared.wrap((_: unknown) => 1), shared.wrap((_: unknown) => 2)];
    a(1);
    b(2);
    expect(() => a(3)).toThrow(BudgetExceededError);
    expect(shared.counters).toEqual({
      calls: 2,
      refusals: 1,
      trips: 1,
      nanoUsd: 800_000_000,
      tokens: 0,
    });
    shared.raise({ maxUsd: 2 });
    expect(a(3)).toBe(1);
  });

  it.each([
    ['[{ name, execute }]', [{ name: 'look', execute: () => 'blue' }]],
    ['{ look: { execute } }', { look: { execute: () => 'blue' } }],
    ['a text', 'look' as never],
    ['a big integer', 10n as never],
    ['a symbol', Symbol('look') as never],
  ])('[GFN23] refuses a tool box without functions: %s', (_, tools) => {
    expect(() => guardAll(tools)).toThrow("option 'tools': expected an object of functions");
  });

  it('[GFN23] takes an empty tool box, and functions beside something else', () => {
    expect(guardAll({})).toEqual({});
    expect(guardAll([])).toHaveLength(0);
    const tools = guardAll({ look: () => 'blue', lens: { focus: () => 'sharp' } });
    expect([tools.look(), tools.lens.focus()]).toEqual(['blue', 'sharp']);
  });

  it('[GFN14] pays out of the purses of a breaker where its function runs in it', async () => {
    const breaker = new Breaker({ budget: { perAgent: { maxUsd: 1 } } });
    const ask = guard((prompt: string) => {
      const call = { agent: 'researcher', model: 'gpt-4o', estimatedCostUsd: 0.4 };
      const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.6 };
      const request = { kind: 'model-request', at: breaker.now(), ...call } as const;
      return breaker.run(request, () => ({ text: prompt.length, usage }));
    });
    await expect(ask('tides')).resolves.toMatchObject({ text: 5 });
    await expect(ask('moon')).resolves.toMatchObject({ text: 4 });
    await expect(ask('sun')).rejects.toMatchObject({
      trip: { kind: 'budget', evidence: { purse: 'agent:researcher' } },
    });
  });

  it.each<[object, string]>([
    [{ loops: {} }, 'loops'],
    [{ loop: { repeat: 3 } }, 'loop.repeat'],
    [{ loop: { repeats: 1 } }, 'loop.repeats'],
    [{ budget: { maxUSD: 1 } }, 'budget.maxUSD'],
    [{ budget: { windowMs: 0 } }, 'budget.windowMs'],
    [{ budget: { maxUsd: 1 } }, 'budget.maxUsd'],
    [{ budget: { maxTokens: 1 } }, 'budget.maxTokens'],
    [{ context: { maxContextTokens: 0 } }, 'context.maxContextTokens'],
    [{ context: { maxContextTokens: 100 } }, 'context'],
    [new Breaker(), 'options'],
    [{ signature: 'x' }, 'signature'],
    [{ polls: { maxWait: 5 } }, 'polls.maxWait'],
    [{ polls: { maxWaitMs: -1 } }, 'polls.maxWaitMs'],
  ])('[GFN10] refuses %j and names the option', (options, option) => {
    expect(() => guard(() => 1, options as never)).toThrow(expect.objectContaining({ option }));
  });

  it.each([
    ['repeats', 'loop.repeats'],
    ['maxUsd', 'budget.maxUsd'],
    ['maxContextTokens', 'context.maxContextTokens'],
    ['maxWaitMs', 'polls.maxWaitMs'],
  ])('[GFN10] tells where %s belongs', (name, path) => {
    const options = { [name]: 3 };
    expect(() => guard(() => 1, options as never)).toThrow(`did you mean '${path}'?`);
  });
});

describe('a guarded fetch', () => {
  const seen: string[] = [];
  let server: Server;
  let base = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(Number(request.url?.slice(1))).end('no credit left');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
  });

  it.each([402, 429])(
    '[GFN11] sends exactly two requests to a server that answers %i',
    async (status) => {
      const get = guard((url: string) => fetch(url), {
        name: 'http_get',
        isFailure: (response) => !response.ok,
      });
      let refused = 0;
      for (let i = 0; i < 10; i++) {
        try {
          expect((await get(`${base}/${status}`)).status).toBe(status);
        } catch (error) {
          expect(error).toBeInstanceOf(LoopDetectedError);
          refused++;
        }
      }
      expect(seen.filter((url) => url === `/${status}`)).toHaveLength(2);
      expect(refused).toBe(8);
    },
  );
});

/**
 * Whether the names end in so many laps: of `k` names, each comes again, and none but the first `k` calls are new. Of the stretches
 * with the most laps the shortest counts, and the last name has to come three times in it.
 */
function endsInLaps(names: readonly string[], laps: number): boolean {
  const isNew = (i: number): boolean => !names.slice(0, i).includes(names[i] as string);
  let [most, times] = [0, 0];
  for (let from = names.length - 1; from >= 0; from--) {
    const end = names.slice(from);
    const kinds = [...new Set(end)];
    const countOf = (one: string): number => end.filter((name) => name === one).length;
    const isKnown = names.every((_name, i) => i < from + kinds.length || !isNew(i));
    const found = Math.floor(end.length / kinds.length);
    if (!isKnown || kinds.some((kind) => countOf(kind) < 2) || found <= most) continue;
    [most, times] = [found, countOf(names.at(-1) as string)];
  }
  return most >= laps && times >= 3;
}
