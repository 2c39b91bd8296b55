import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { ConversationPool, GuardContext, OutermostRun } from '../../src/index.ts';

function setUp(options: BreakerOptions = { maxRunMs: 100 }) {
  const clock = new FakeClock(1_000);
  const breaker = new Breaker({ now: clock.now, timers: clock.timers, ...options });
  const context = new GuardContext(breaker);
  const run = context.openRun();
  const say = (text: string) =>
    run.conversation.observe({ kind: 'message', at: breaker.now(), agent: 'ann', text });
  return { breaker, clock, context, run, say };
}

describe('the run time of a run', () => {
  it('[KIT17] is watched by one timer, and by none without a limit', () => {
    const { run, clock } = setUp();
    run.watchTime();
    run.watchTime();
    expect(clock.waiting).toBe(1);
    run.end();
    expect([clock.waiting, setUp({}).clock.waiting]).toEqual([0, 0]);
  });

  it('[KIT17] ends the run when it is over, and not before', () => {
    const { run, clock } = setUp();
    clock.advance(99);
    expect(run.trip).toBeUndefined();
    clock.advance(1);
    expect(run.trip?.evidence).toMatchObject({ subject: 'run time in ms', count: 100 });
  });

  it('[KIT17] stands still between the steps of a run that is timed by them', () => {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const context = new GuardContext(new Breaker({ maxRunMs: 100, now, timers }));
    const run = context.openRun({ isTimedByStep: true });
    const within = (work: () => void) => context.within({ run, depth: 0, path: ['crew'] }, work);
    const say = () =>
      within(() => context.observe({ kind: 'message', at: now(), agent: 'ann', text: 'So.' }));
    const end = run.beginStep();
    say();
    clock.advance(60);
    end();
    clock.advance(10_000);
    expect(run.trip).toBeUndefined();
    const [one, other] = [run.beginStep(), run.beginStep()];
    say();
    clock.advance(30);
    for (const over of [one, one]) over();
    clock.advance(9);
    expect(run.trip).toBeUndefined();
    clock.advance(1);
    expect(run.trip?.evidence).toMatchObject({ subject: 'run time in ms', count: 100 });
    other();
  });

  it.each([
    ['one conversation each', {}, undefined],
    ['one for all runs', { scope: 'breaker' } as const, 'limit'],
  ])('[KIT17] counts only steps in a run of its own, also of a tenant: %s', (_, options, kind) => {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const whole = new Breaker({ maxRunMs: 100, now, timers, ...options });
    const breaker = whole.for({ user: 'cid' });
    const context = new GuardContext(breaker);
    const run = context.openRun({ isApart: true, isTimedByStep: true });
    const end = run.beginStep();
    context.within({ run, depth: 0, path: ['crew'] }, () =>
      context.observe({ kind: 'message', at: now(), agent: 'ann', text: 'So.' }),
    );
    end();
    clock.advance(10_000);
    run.beginStep();
    expect((run.conversation.checkRunTime() ?? run.trip)?.kind).toBe(kind);
  });

  it('[KIT17] keeps the process alive until the run has ended', () => {
    const refs: string[] = [];
    const clock = new FakeClock(1_000);
    const set = (ring: () => void, ms: number) =>
      Object.assign(Object(clock.timers.set(ring, ms)), {
        ref: () => refs.push(`ref ${ms}`),
        unref: () => refs.push(`unref ${ms}`),
      });
    const timers = { ...clock.timers, set };
    const { run } = setUp({ maxRunMs: 100, now: clock.now, timers });
    clock.advance(100);
    expect(refs).toEqual(['unref 100', 'ref 100', 'unref 1000', 'ref 1000']);
    run.end();
    expect(clock.waiting).toBe(0);
  });

  it('[KIT17] is no longer watched once the run has ended or was stopped', () => {
    const { run, clock } = setUp();
    run.end();
    run.watchTime();
    expect(clock.waiting).toBe(0);
    const { run: second, clock: other } = setUp();
    second.conversation.stop('enough');
    second.watchTime();
    expect(other.waiting).toBe(0);
    expect([second.trip?.reason, second.isRefused]).toEqual(['enough', false]);
  });

  it('[KIT18] is not watched while a person is asked, however many are', async () => {
    const { run, clock } = setUp();
    const answers: (() => void)[] = [];
    const asked = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    const [first, second] = [run.person(asked), run.person(asked)];
    run.watchTime();
    clock.advance(400);
    answers[1]?.();
    await second;
    run.watchTime();
    expect([clock.waiting, run.trip]).toEqual([0, undefined]);
    clock.advance(100);
    answers[0]?.();
    await first;
    expect([clock.waiting, run.trip]).toEqual([0, undefined]);
    run.watchTime();
    expect(clock.waiting).toBe(1);
  });

  it('[KIT18] is watched again though the person could not be asked', async () => {
    const { run, clock } = setUp();
    await expect(run.person(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    run.watchTime();
    expect(clock.waiting).toBe(1);
  });

  it('[KIT20] leaves work under way a second after a trip, unless the run ends', () => {
    const { run, say, clock } = setUp({ maxMessages: 1 });
    say('first and last');
    clock.advance(999);
    expect(run.signal.aborted).toBe(false);
    clock.advance(1);
    expect(run.signal.reason).toMatchObject({ code: 'TRIPPED' });
    const other = setUp({ maxMessages: 1 });
    other.say('first and last');
    expect(other.clock.waiting).toBe(1);
    other.run.end();
    expect(other.clock.waiting).toBe(0);
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
    const pool = new ConversationPool(new Breaker(), '');
    const ids = Array.from({ length: 4 }, () => new OutermostRun(pool).conversation.id);
    expect(ids).toEqual(['', 'run 2', 'run 3', 'run 4']);
  });
});
