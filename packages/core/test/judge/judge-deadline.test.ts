import { describe, expect, it } from 'vitest';
import { BreakerError } from '../../src/index.ts';
import { isThere, judged } from '../support/judge.ts';
import { turn } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';
import { HandTimers } from '../support/timers.ts';

function hanging(judging = {}) {
  const timers = new HandTimers();
  return { ...judged({ timers }, { timeoutMs: 70, ...judging }), timers };
}

describe('a judge that does not answer', () => {
  it('[JDG23] is waited for until timeoutMs, and then told as an error with its code', () => {
    const { timers, stall, errors } = hanging();
    stall();
    expect(timers.waits).toEqual([70]);
    expect(errors).toEqual([]);
    timers.ring();
    const late = new BreakerError('JUDGE', 'the judge did not answer within 70 ms');
    expect(errors).toEqual([['judge', late]]);
  });

  it('[JDG23] has a minute by default', () => {
    const { timers, stall } = hanging({ timeoutMs: undefined });
    stall();
    expect(timers.waits).toEqual([60_000]);
  });

  it('[JDG23] does not keep what waited for it from stopping the team', () => {
    const { breaker, timers, stall, say } = hanging();
    stall();
    expect(say('trip')).toBeUndefined();
    timers.ring();
    expect(breaker.conversation().trip?.reason).toBe('a said trip');
  });

  it('[JDG23] never switches the detection of words off', () => {
    const { breaker, timers, stall, say } = hanging();
    stall();
    timers.ring();
    for (let i = 40; i < 70; i++) say(staleText(i));
    expect(breaker.conversation().trip?.kind).toBe('speaker-cycle');
  });

  it('[JDG23] is asked again, and its answer counts then', async () => {
    const { breaker, judge, timers, stall } = hanging();
    stall();
    timers.ring();
    stall();
    expect(judge.questions).toHaveLength(2);
    await judge.says(1);
    expect(breaker.conversation().trip?.reason).toContain('the judge is 100% sure');
    expect(timers.waits).toEqual([]);
  });

  it('[JDG23] changes nothing when it answers late, but its cost counts', async () => {
    const { breaker, judge, timers, stall } = hanging();
    stall();
    timers.ring();
    const usage = { inputTokens: 900, outputTokens: 40, costUsd: 0.25 };
    await judge.says({ probability: 1, usage });
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.judged.cost.nanoUsd).toBe(250_000_000);
  });

  it('[JDG23] leaves the team alone where it answers in time, and no timer behind', async () => {
    const { breaker, judge, timers, stall, errors } = hanging();
    stall();
    await judge.says(0);
    timers.ring();
    expect(breaker.conversation().trip).toBeUndefined();
    expect([errors, timers.waits]).toEqual([[], []]);
  });

  it.each(['reset', 'stop'] as const)('[JDG23] leaves no timer behind at a %s', (end) => {
    const { breaker, timers, stall } = hanging();
    stall();
    breaker[end]();
    expect(timers.waits).toEqual([]);
  });

  it('[JDG23] keeps the process alive only while somebody waits for it', () => {
    const refs: string[] = [];
    const timer = { ref: () => refs.push('ref'), unref: () => refs.push('unref') };
    const { breaker, stall } = judged({ timers: { set: () => timer, clear: () => {} } });
    stall();
    expect(refs).toEqual(['unref']);
    void breaker.conversation().answered();
    expect(refs).toEqual(['unref', 'ref']);
  });
});

describe('a blocking judge that does not answer', () => {
  it('[JDG23] lets requests go on at the deadline', async () => {
    const { breaker, timers, stall } = hanging({ blocking: true });
    stall();
    const asked = breaker.admit(turn('a'));
    expect(await isThere(asked)).toBe(false);
    timers.ring();
    expect(await asked).toMatchObject({ isAdmitted: true });
  });
});
