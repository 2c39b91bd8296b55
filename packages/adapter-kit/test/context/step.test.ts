import { getEventListeners } from 'node:events';
import { Breaker, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, type GuardProblem } from '../../src/index.ts';

function setUp() {
  const problems: GuardProblem[] = [];
  const breaker = new Breaker();
  const context = new GuardContext(breaker, { onError: (problem) => problems.push(problem) });
  const run = context.openRun();
  const inside = <T>(work: () => T): T => context.within({ run, depth: 0, path: ['crew'] }, work);
  return { breaker, context, run, problems, inside };
}

const TURN = { kind: 'turn', at: 0, agent: 'ann' } as const;
const TOOL = { kind: 'tool-call', at: 0, agent: 'ann', tool: 'look', args: {} } as const;
const CODE = { kind: 'execution', at: 0, agent: 'ann', language: 'sh', code: 'ls' } as const;

describe('a step of a guard', () => {
  it('[KIT19] that has steps inside is waited for, and one that has none is not', async () => {
    const { context, run, inside } = setUp();
    let end = (_: string): void => undefined;
    const work = () => new Promise<string>((resolve) => (end = resolve));
    const waited = inside(() => context.step(TURN, work));
    run.conversation.stop('enough');
    await Promise.resolve();
    end('late');
    expect(await waited).toBe('late');
    const { context: other, run: second, inside: there } = setUp();
    const left = there(() => other.step(TOOL, () => new Promise(() => {}), { isLeaf: true }));
    setImmediate(() => second.conversation.stop('enough'));
    await expect(left).rejects.toThrow(TrippedError);
  });

  it.each([
    [TURN, 1],
    [TOOL, 0],
    [CODE, 0],
  ])(
    '[ADP20] is told of a cancelled outcome unless it is a tool or code: %j',
    async (request, told) => {
      const { context } = setUp();
      const outcomes: unknown[] = [];
      const report = (outcome: unknown): undefined => void outcomes.push(outcome);
      const work = () => Promise.reject(new Error('aborted'));
      const signal = AbortSignal.abort();
      await expect(context.step(request, work, { report, signal })).rejects.toThrow('aborted');
      expect(outcomes).toHaveLength(told);
      await expect(context.step(request, work, { report })).rejects.toThrow('aborted');
      expect(outcomes).toHaveLength(told + 1);
    },
  );

  it('[ADP33] goes on though its report fails, and says what failed', async () => {
    const { context, problems } = setUp();
    const broken = new Error('no report');
    const report = (): never => {
      throw broken;
    };
    expect(await context.step(TURN, () => 'done', { report })).toBe('done');
    expect(problems).toEqual([{ during: 'observe', error: broken }]);
  });

  it('[ADP12] goes on though a signal is none, and says what failed', () => {
    const { context, problems } = setUp();
    context.observe({ kind: 'message', agent: 'ann' } as never);
    expect(problems).toMatchObject([{ during: 'observe', error: { code: 'INVALID_SIGNAL' } }]);
  });
});

describe('the signals of the caller and of the run', () => {
  it('[ADP57] are one: either aborts it', () => {
    const { context, run, inside } = setUp();
    const { signal: given } = new AbortController();
    expect([context.abortSignal(), context.abortSignal(given)]).toEqual([undefined, given]);
    expect(inside(() => context.abortSignal())).toBe(run.signal);
    const controller = new AbortController();
    const both = inside(() => context.abortSignal(controller.signal));
    const other = inside(() => context.abortSignal(given));
    controller.abort('by the caller');
    expect([both?.reason, other?.aborted]).toEqual(['by the caller', false]);
    run.conversation.stop('enough');
    expect(other?.reason).toBeInstanceOf(TrippedError);
  });

  it('[KIT37] are listened to no longer than there is something to wait for', async () => {
    const { context, run, inside } = setUp();
    const listeners = () => getEventListeners(run.signal, 'abort').length;
    const before = listeners();
    const waits = [Promise.resolve(1), Promise.reject(new Error('no luck'))];
    const waited = inside(() => waits.map((work) => context.untilStopped(work)));
    expect(listeners()).toBe(before + 1);
    await Promise.allSettled(waited);
    await new Promise(setImmediate);
    expect(listeners()).toBe(before);
  });

  it('[KIT16] end a wait at once if one has aborted already', async () => {
    const { context } = setUp();
    const waited = context.untilStopped(new Promise(() => {}), AbortSignal.abort('over'));
    await expect(waited).rejects.toBe('over');
    expect(await context.untilStopped(Promise.resolve('done'))).toBe('done');
  });

  it('[ADP22] that have aborted mean that work was cut off', () => {
    const { context, run, inside } = setUp();
    const error = new Error('no luck');
    expect(inside(() => context.isCutOff(error))).toBe(false);
    run.conversation.stop('enough');
    expect(inside(() => context.isCutOff(error))).toBe(true);
    expect(context.isCutOff(error)).toBe(false);
  });
});
