import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConversationPool, GuardContext, OutermostRun } from '../../src/index.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

function setUp(options: BreakerOptions = { maxRunMs: 100 }) {
  const breaker = new Breaker({ now: () => Date.now(), ...options });
  const context = new GuardContext(breaker);
  const run = context.openRun();
  const say = (text: string) =>
    run.conversation.observe({ kind: 'message', at: breaker.now(), agent: 'ann', text });
  return { breaker, context, run, say };
}

describe('the run time of a run', () => {
  it('[KIT17] is watched by one timer, and by none without a limit', () => {
    const { run } = setUp();
    run.watchTime();
    run.watchTime();
    expect(vi.getTimerCount()).toBe(1);
    run.end();
    setUp({});
    expect(vi.getTimerCount()).toBe(0);
  });

  it('[KIT17] ends the run when it is over, and not before', () => {
    const { run } = setUp();
    vi.advanceTimersByTime(99);
    expect(run.trip).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(run.trip?.evidence).toMatchObject({ subject: 'run time in ms', count: 100 });
  });

  it('[KIT17] is no longer watched once the run has ended or was stopped', () => {
    const { run } = setUp();
    run.end();
    run.watchTime();
    expect(vi.getTimerCount()).toBe(0);
    const { run: second } = setUp();
    second.conversation.stop('enough');
    second.watchTime();
    expect(vi.getTimerCount()).toBe(0);
    expect([second.trip?.reason, second.isRefused]).toEqual(['enough', false]);
  });

  it('[KIT18] is not watched while a person is asked, however many are', async () => {
    const { run } = setUp();
    const first = run.person(() => new Promise<void>((resolve) => setTimeout(resolve, 500)));
    const second = run.person(() => new Promise<void>((resolve) => setTimeout(resolve, 300)));
    run.watchTime();
    await vi.advanceTimersByTimeAsync(400);
    await second;
    run.watchTime();
    expect([vi.getTimerCount(), run.trip]).toEqual([1, undefined]);
    await vi.advanceTimersByTimeAsync(100);
    await first;
    expect([vi.getTimerCount(), run.trip]).toEqual([0, undefined]);
    run.watchTime();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('[KIT18] is watched again though the person could not be asked', async () => {
    const { run } = setUp();
    await expect(run.person(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    run.watchTime();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('[KIT20] leaves work under way a second after a trip, unless the run ends', () => {
    const { run, say } = setUp({ maxMessages: 1 });
    say('first and last');
    vi.advanceTimersByTime(999);
    expect(run.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(run.signal.reason).toMatchObject({ code: 'TRIPPED' });
    const { run: other, say: sayThere } = setUp({ maxMessages: 1 });
    sayThere('first and last');
    other.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('[KIT21] keeps its first trip, though the circuit is closed and opens again', () => {
    const { breaker, run, say } = setUp({ maxMessages: 1 });
    say('first and last');
    breaker.reset();
    breaker.stop('by hand');
    expect(run.trip?.kind).toBe('limit');
    expect(run.signal.aborted).toBe(false);
  });
});

describe('a run that begins', () => {
  it.each([
    [{}, undefined],
    [{ restartsLimits: true }, undefined],
    [{ restartsLimits: false }, 'limit'],
  ])('[ADP54] restarts declared limits unless it says otherwise: %j', (options, kind) => {
    const { context, run, say } = setUp({ maxMessages: 2 });
    say('first');
    context.closeRun(run);
    const second = context.openRun(options);
    say('second');
    expect(second.trip?.kind).toBe(kind);
  });

  it('[KIT11] has a conversation of its own beside any number of others', () => {
    const pool = new ConversationPool(new Breaker());
    const ids = Array.from({ length: 4 }, () => new OutermostRun(pool).conversation.id);
    expect(ids).toEqual(['', 'run 2', 'run 3', 'run 4']);
  });
});
