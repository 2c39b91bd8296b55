import { Breaker, type BreakerOptions, MemoryBudgetStore } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import * as kit from '../../src/index.ts';
import { callModel, callTool, takeTurn } from '../support/steps.ts';

const ANSWER = { text: 'It was blue.', inputTokens: 4, outputTokens: 3 };

/** A run that is stopped by a limit, and what its models were asked with. */
function stopped(options: BreakerOptions = {}, canWrapUp = true) {
  const clock = new FakeClock(1_000);
  const { now, timers } = clock;
  const breaker = new Breaker({
    wrapUp: { maxTokens: 50 },
    maxMessages: 1,
    now,
    timers,
    ...options,
  });
  const nudge = (_: unknown, cause: string): string => cause;
  const context = new kit.GuardContext(breaker, { nudge }, { canWrapUp });
  const run = context.openRun();
  const asked: (kit.LastAnswer | undefined)[] = [];
  const call = (work = async (_?: AbortSignal) => ANSWER, info: Partial<kit.ModelCallInfo> = {}) =>
    callModel(context, {
      agent: 'bot',
      model: 'm',
      ...info,
      usageOf: (answer: typeof ANSWER) => answer,
      work: (signal) => {
        asked.push(kit.lastAnswerIn(context));
        return work(signal);
      },
    });
  const at = <T>(work: () => T, depth = 0): T =>
    context.within({ run, depth, path: ['crew'] }, work);
  at(() => context.observe({ kind: 'message', ...context.originOf('bot'), text: 'Hello.' }));
  return { asked, at, breaker, call, clock, context, run };
}

describe('the last answer of a stopped run', () => {
  it('[KIT122] is the next model call, bounded and told why; the trip says so from then on', async () => {
    const { asked, at, breaker, call, context } = stopped();
    const requests: unknown[] = [];
    breaker.on('signal', ({ signal }) => requests.push([signal.kind, Object(signal).text]));
    await expect(at(() => call())).resolves.toBe(ANSWER);
    expect(asked).toEqual([{ maxTokens: 50, text: 'stopped' }]);
    expect(context.trip).toMatchObject({ kind: 'limit', hasLastAnswer: true });
    expect(requests).toEqual([
      ['model-request', undefined],
      ['notice', 'stopped'],
      ['usage', undefined],
    ]);
    await expect(at(() => call())).rejects.toThrow('maxMessages');
  });

  it('[KIT122] is one of the calls that are made side by side', async () => {
    const { asked, at, call } = stopped();
    const ends = await Promise.allSettled([1, 2, 3].map(() => at(() => call())));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('[KIT123] may take a minute, and is aborted then', async () => {
    const { at, call, clock } = stopped();
    let given: AbortSignal | undefined;
    const slow = (signal?: AbortSignal) =>
      new Promise<typeof ANSWER>((_, reject) => {
        given = signal;
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const answer = at(() => call(slow));
    while (given === undefined) await Promise.resolve();
    clock.advance(59_000);
    expect(given.aborted).toBe(false);
    clock.advance(1_000);
    await expect(answer).rejects.toThrow('maxMessages');
  });

  it('[KIT123] ends at once when a person stops the team', async () => {
    const { at, breaker, call } = stopped();
    const ends = at(() => call(() => Promise.resolve(breaker.stop('enough')).then(() => ANSWER)));
    await expect(ends).rejects.toThrow('enough');
  });

  it('[KIT124] is given by no nested work, no call that a program reads, and no adapter that cannot', async () => {
    const { asked, at, call } = stopped();
    await expect(at(() => call(), 1)).rejects.toThrow('maxMessages');
    await expect(at(() => call(undefined, { isSelection: true }))).rejects.toThrow('maxMessages');
    await expect(at(() => call(undefined, { canBeLast: false }))).rejects.toThrow('maxMessages');
    const other = stopped({}, false);
    await expect(other.at(() => other.call())).rejects.toThrow('maxMessages');
    expect([...asked, ...other.asked]).toEqual([]);
  });

  it('[KIT124] is not given where the budget cannot be checked', async () => {
    const store = Object.assign(new MemoryBudgetStore(), {
      reserve: () => Promise.reject(new Error('away')),
    });
    const { asked, at, call } = stopped({ maxMessages: 9, budget: { maxTokens: 9_000, store } });
    await expect(at(() => call())).rejects.toThrow('could not be checked');
    expect(asked).toEqual([]);
  });

  it('[KIT124] is given by no run that begins after the stop', async () => {
    const { asked, at, call, context, run } = stopped({ maxMessages: 9 });
    const look = { kind: 'tool-call', agent: 'bot', tool: 'look', args: {}, result: 1 } as const;
    for (let lap = 0; lap < 3; lap++) at(() => context.observe({ ...look, at: 1_000 }));
    expect(run.trip?.kind).toBe('repetition');
    context.closeRun(run);
    const next = context.openRun();
    const late = context.within({ run: next, depth: 0, path: ['crew'] }, () => call());
    await expect(late).rejects.toThrow("'look'");
    expect(asked).toEqual([]);
  });

  it('[KIT125] leaves a turn that leads to it, and gives a refused call its reason; neither after it', async () => {
    const { at, call, context } = stopped();
    const tool = { agent: 'bot', tool: 'look', args: {}, refusedAs: (text: string) => text };
    const look = () => at(() => callTool(context, { ...tool, work: async () => 'blue' }));
    const turn = (asksModel: boolean) =>
      at(() => takeTurn(context, { agent: 'bot', asksModel, work: async () => 'taken' }));
    await expect(look()).resolves.toContain('maxMessages');
    await expect(turn(true)).resolves.toBe('taken');
    await expect(turn(true)).resolves.toBe('taken');
    await expect(turn(true)).rejects.toThrow('maxMessages');
    await expect(turn(false)).rejects.toThrow('maxMessages');
    await at(() => call());
    await expect(look()).rejects.toThrow('maxMessages');
    await expect(turn(true)).rejects.toThrow('maxMessages');
  });
});
