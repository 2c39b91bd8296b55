import { describe, expect, it } from 'vitest';
import { IdenticalCalls } from '../../src/admission/identical-calls.ts';
import {
  Breaker,
  type BreakerOptions,
  guard,
  isTripped,
  LoopDetectedError,
} from '../../src/index.ts';
import { CALL } from '../support/calls.ts';

const PAY = { ...CALL, tool: 'pay', args: { to: 'x', eur: 5 } };

interface Ran {
  readonly ran: number;
  readonly most: number;
  readonly results: readonly unknown[];
  readonly kinds: readonly unknown[];
}

/** What came of `count` calls side by side. Each takes a moment, and gives what `result` says. */
async function sideBySide(
  call: (work: () => Promise<unknown>, i: number) => Promise<unknown>,
  count: number,
  result: (i: number) => unknown,
): Promise<Ran> {
  let ran = 0;
  let underWay = 0;
  let most = 0;
  const work = async (): Promise<unknown> => {
    const number = ran++;
    most = Math.max(most, ++underWay);
    for (let moment = 0; moment < 5 + (number % 3); moment++) await Promise.resolve();
    underWay--;
    return result(number);
  };
  const ends = await Promise.allSettled(Array.from({ length: count }, (_, i) => call(work, i)));
  const results = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  const kinds = errors.map((error) => (isTripped(error) ? error.trip.kind : error));
  return { ran, most, results, kinds: [...new Set(kinds)] };
}

function inBreaker(options: BreakerOptions = {}, request: object = PAY) {
  const breaker = new Breaker(options);
  return (work: () => Promise<unknown>): Promise<unknown> =>
    breaker.run({ ...PAY, ...request }, work);
}

describe('identical calls side by side', () => {
  it('[GATE8] are one suspicion: of a hundred eight are made, and the loop they make refuses the others', async () => {
    const { ran, kinds } = await sideBySide(inBreaker(), 100, () => 'paid');
    expect([ran, kinds]).toEqual([8, ['repetition']]);
  });

  it('[GATE8] are all made if each comes to something else, eight at a time', async () => {
    const { ran, most, results } = await sideBySide(inBreaker(), 100, (i) => `job ${i}`);
    expect([ran, most, new Set(results).size]).toEqual([100, 8, 100]);
  });

  it('[GATE8] are all made if there are three', async () => {
    const { results } = await sideBySide(inBreaker(), 3, () => 'read');
    expect(results).toEqual(['read', 'read', 'read']);
  });

  /** Calls that wait for one another, each with its answer. */
  async function inLine(options: BreakerOptions, ...signals: readonly AbortSignal[]) {
    const breaker = new Breaker({ maxIdenticalInFlight: 1, ...options });
    const ask = (signal?: AbortSignal) => breaker.admit(PAY, { willRelease: true, signal });
    const first = await ask();
    if (!first.isAdmitted) throw new Error('the first call is refused');
    return { breaker, first: first.permit, ask, waiting: signals.map(ask) };
  }

  it('[GATE8] let one go on for each that has ended', async () => {
    const calls = new IdenticalCalls(1);
    const leave = calls.enter(1);
    const woken: number[] = [];
    const waits = [1, 2, 3].map((number) =>
      calls.waitForPlace(1, () => () => {}).then(() => woken.push(number)),
    );
    leave();
    await waits[0];
    await Promise.resolve();
    expect(woken).toEqual([1]);
    calls.enter(1)();
    await waits[1];
    expect(woken).toEqual([1, 2]);
  });

  it('[GATE8] let the next one go on in place of one that was given up', async () => {
    const caller = new AbortController();
    const { first, waiting, ask } = await inLine({}, caller.signal);
    const last = ask();
    first.release();
    caller.abort();
    await expect(waiting[0]).rejects.toThrow();
    expect((await last).isAdmitted).toBe(true);
  });

  it('[GATE8] let the next one be decided in place of one that is refused', async () => {
    const { breaker, first, ask } = await inLine({ maxToolCalls: 2 });
    await breaker.admit({ ...PAY, tool: 'look' });
    const waiting = [ask(), ask()];
    breaker.observe({ ...PAY, result: 'paid' });
    first.release();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ isAdmitted }) => isAdmitted)).toEqual([false, false]);
  });

  it('[GATE8] do not wait for those that differ in an argument, a tool or an agent', async () => {
    const breaker = new Breaker({ maxIdenticalInFlight: 1 });
    const { most } = await sideBySide(
      (work, i) => breaker.run({ ...PAY, args: { i } }, work),
      30,
      (i) => i,
    );
    expect(most).toBe(30);
    const mixed = await sideBySide(
      (work, i) => breaker.run({ ...PAY, agent: `a${i % 2}`, tool: `t${i % 3}` }, work),
      6,
      (i) => i,
    );
    expect(mixed.most).toBe(6);
  });

  it('[GATE8] may be as many as maxIdenticalInFlight says', async () => {
    const many = inBreaker({ maxIdenticalInFlight: 50 });
    expect((await sideBySide(many, 50, (i) => `job ${i}`)).most).toBe(50);
    expect(() => new Breaker({ maxIdenticalInFlight: 0 })).toThrow(
      "option 'maxIdenticalInFlight': expected a whole number of at least 1, received 0",
    );
  });

  it.each<[string, BreakerOptions]>([
    ['the tool is polled', { analysis: { tools: { pay: { polls: { maxWaitMs: 1000 } } } } }],
    ['repetition stops nobody', { reaction: { repetition: 'warn' } }],
    ['repetition is switched off', { repetition: false, speakerCycle: false }],
  ])('[GATE8] are all made at once where %s', async (_, options) => {
    const { ran, most } = await sideBySide(inBreaker(options), 20, (i) => `job ${i}`);
    expect([ran, most]).toEqual([20, 20]);
  });

  it('[GATE8] end their wait with a stop and with their caller', async () => {
    const breaker = new Breaker({ maxIdenticalInFlight: 1 });
    const hung = (): Promise<never> => new Promise(() => {});
    const caller = new AbortController();
    const first = breaker.run(PAY, hung);
    const second = breaker.run(PAY, hung, { signal: caller.signal });
    const third = breaker.run(PAY, hung);
    caller.abort(new Error('given up'));
    await expect(second).rejects.toThrow('given up');
    breaker.stop('enough');
    await expect(third).rejects.toThrow('enough');
    await expect(first).rejects.toThrow('enough');
  });

  it('[GATE8] are counted while they run, though the caller has given them up, and not when they have failed', async () => {
    const breaker = new Breaker({ maxIdenticalInFlight: 1 });
    const caller = new AbortController();
    let end = (_: string): void => {};
    const slow = (): Promise<string> =>
      new Promise((resolve) => {
        end = resolve;
      });
    const first = breaker.run(PAY, slow, { signal: caller.signal });
    caller.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    let hasBegun = false;
    const second = breaker.run(PAY, async () => {
      hasBegun = true;
      throw new Error('no luck');
    });
    await Promise.resolve();
    expect(hasBegun).toBe(false);
    end('late');
    await expect(second).rejects.toThrow('no luck');
    expect(await breaker.run(PAY, () => 'paid')).toBe('paid');
  });

  it('[GATE8] are not waited for by those that are only asked for, whose end nobody promises', () => {
    const breaker = new Breaker({ maxIdenticalInFlight: 1 });
    for (let i = 0; i < 20; i++) {
      expect(breaker.admit(PAY)).toMatchObject({ isAdmitted: true });
    }
  });
});

describe('identical calls of a guarded function', () => {
  it('[GATE8] are one suspicion: of a hundred no more than nine are made', async () => {
    let refusals = 0;
    const body = (work: () => Promise<unknown>): Promise<unknown> => work();
    const pay = guard(body, { signature: () => 'pay', onTrip: () => void refusals++ });
    const { ran, kinds } = await sideBySide(pay, 100, () => 'paid');
    expect(ran).toBeLessThanOrEqual(9);
    expect(kinds).toEqual(['repetition']);
    expect(refusals).toBe(100 - ran);
    await expect(pay(async () => 'paid')).rejects.toBeInstanceOf(LoopDetectedError);
  });

  it('[GATE8] are all made if each comes to something else, whatever loop another call is in', async () => {
    const works = new Map<string, () => Promise<unknown>>();
    const ask = guard(async (what: string) => works.get(what)?.());
    const asked = (what: string) => (work: () => Promise<unknown>) => {
      works.set(what, work);
      return ask(what);
    };
    const [jobs, loop] = await Promise.all([
      sideBySide(asked('next job'), 40, (i) => `job ${i}`),
      sideBySide(asked('same'), 40, () => 'nothing'),
    ]);
    expect(jobs.ran).toBe(40);
    expect(loop.ran).toBeLessThan(40);
  });

  it('[GATE8] do not make a function wait that answers at once, within itself as well', () => {
    const countDown = guard((depth: { n: number }): string =>
      depth.n-- > 0 ? countDown(depth) : 'done',
    );
    expect(countDown({ n: 30 })).toBe('done');
  });
});
