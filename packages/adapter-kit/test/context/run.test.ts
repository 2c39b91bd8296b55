import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { ConversationPool, GuardContext, OutermostRun } from '../../src/index.ts';

/** As long as a run leaves to work under way after a trip. */
const GRACE_MS = 1_000;

/** A run by a clock that stands still. */
function setUp(options: BreakerOptions = {}) {
  const clock = new FakeClock();
  const { now, timers } = clock;
  const breaker = new Breaker({ ...options, now, timers });
  const run = new OutermostRun(new ConversationPool(breaker, ''), timers);
  const { conversation } = run;
  const say = (text: string) =>
    conversation.observe({ kind: 'message', at: breaker.now(), agent: 'ann', text });
  return { breaker, clock, run, conversation, say };
}

/** Resolves when a timer of as many milliseconds that is set now has fired. */
function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves when the circuit of a run opens, which is a second before its work is aborted. */
function tripped({ conversation }: OutermostRun): Promise<unknown> {
  return new Promise((resolve) => conversation.onOpen(resolve));
}

describe('an outermost run', () => {
  it('[KIT73] joins the same signal once, whatever number of steps it is given to', () => {
    const context = new GuardContext(new Breaker());
    const [first, second] = [context.openRun(), context.openRun()];
    const { signal } = new AbortController();
    const joined = (run: OutermostRun) =>
      context.within({ run, depth: 0, path: ['crew'] }, () => context.abortSignal(signal));
    const both = joined(first);
    expect(joined(first)).toBe(both);
    expect(joined(second)).not.toBe(both);
    first.conversation.stop('enough');
    expect(both?.aborted).toBe(true);
  });

  it('[KIT37] has any number of steps side by side without a warning of Node', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): number => warnings.push(warning);
    process.on('warning', listen);
    const context = new GuardContext(new Breaker());
    const run = context.openRun();
    await context.within({ run, depth: 0, path: ['crew'] }, () =>
      Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const call = {
            kind: 'tool-call',
            tool: 'read',
            args: i,
            ...context.originOf('ann'),
          } as const;
          return context.step(call, () => passed(1), { isLeaf: true });
        }),
      ),
    );
    await passed(1);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('[KIT17] is stopped when its time is over, though nothing happens', () => {
    const { clock, run, say } = setUp({ maxRunMs: 5 });
    say('first');
    run.watchTime();
    clock.advance(4);
    expect(run.trip).toBeUndefined();
    clock.advance(1);
    expect(run.trip?.evidence.subject).toBe('run time in ms');
    clock.advance(GRACE_MS);
    expect(run.signal.aborted).toBe(true);
  });

  it('[KIT17] is watched from its beginning, before anything is reported', async () => {
    const clock = new FakeClock(1_000);
    const context = new GuardContext(new Breaker({ maxRunMs: 5, now: clock.now }));
    const run = context.openRun();
    clock.advance(7);
    await tripped(run);
    expect(run.trip?.evidence.count).toBe(7);
  });

  it('[KIT17] is watched from a request on that is the first signal of runs that share the limit', async () => {
    const context = new GuardContext(new Breaker({ maxRunMs: 5 }));
    const run = context.openRun({ restartsLimits: false });
    await context.within({ run, depth: 0, path: ['crew'] }, async () => {
      const request = { kind: 'model-request', model: 'm', ...context.originOf('ann') } as const;
      await context.ask(request);
    });
    await tripped(run);
    expect(run.trip?.kind).toBe('limit');
  });

  it('[KIT18] takes no time while a person is asked', async () => {
    const { clock, run, say } = setUp({ maxRunMs: 5 });
    say('first');
    run.watchTime();
    await run.person(() => clock.advance(25));
    expect(run.trip).toBeUndefined();
  });

  it('[KIT18] takes time again once the person has answered', async () => {
    const { clock, run, conversation, say } = setUp({ maxRunMs: 20 });
    say('first');
    run.watchTime();
    await run.person(() => clock.advance(30));
    const answer = { text: 'yes', waitedMs: 30 };
    conversation.observe({ kind: 'human-input', at: clock.now(), agent: 'user', ...answer });
    run.watchTime();
    clock.advance(19);
    expect(run.trip).toBeUndefined();
    clock.advance(1);
    expect(run.trip?.evidence.subject).toBe('run time in ms');
  });

  it('[KIT19] is aborted at once when it is stopped by hand', () => {
    const { run, conversation } = setUp();
    conversation.stop('enough');
    expect(run.signal.reason).toMatchObject({ code: 'TRIPPED', message: 'enough' });
  });

  it('[KIT21] keeps its first trip, and frees its conversation when it ends', () => {
    const breaker = new Breaker({ maxMessages: 1, now: new FakeClock().now });
    const pool = new ConversationPool(breaker, '');
    const run = new OutermostRun(pool);
    breaker.observe({ kind: 'message', at: 0, agent: 'ann', text: 'hi' });
    breaker.stop('later');
    run.end();
    run.end();
    breaker.reset();
    breaker.stop('after the end');
    expect([run.trip?.kind, pool.isIdle]).toEqual(['limit', true]);
  });

  it('[KIT21] tells its trip through the guard, also beside a run that goes on', () => {
    const context = new GuardContext(new Breaker());
    const [, second] = [context.openRun(), context.openRun()];
    expect(context.trip).toBeUndefined();
    second.conversation.stop('enough');
    expect(context.trip?.reason).toContain('enough');
    context.closeRun(second);
    expect(context.trip).toBeUndefined();
  });
});

describe('the history of a guard', () => {
  it.each<[string, BreakerOptions]>([
    ['by default', {}],
    ['with a function of the user', { redact: (text) => text.replaceAll('Miller', '[customer]') }],
    ['where excerpts are off', { excerpts: false }],
  ])('[HIS8] holds no secret of an error that ended a run: %s', async (_, options) => {
    const store = new MemoryHistoryStore();
    const history = { store, task: 'nightly report', lastRuns: 1 };
    const context = new GuardContext(new Breaker(options), { history });
    const keep = await context.beginRecord();
    const customer = options.redact ? ' for Miller' : '';
    await keep({ error: new TypeError(`{"password":"it's-hunter2"}${customer}`) });
    const refused = await context.beginRecord().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'REPEATED_FAILURE', failure: { subject: 'TypeError' } });
    const told = JSON.stringify([store.latest(history.task, 9), refused, String(refused)]);
    for (const secret of ['hunter2', 'Miller']) expect(told).not.toContain(secret);
  });
});
