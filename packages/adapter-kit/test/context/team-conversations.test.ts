import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { alarmOn, says } from '../../../testing/src/adapters/alarm.ts';
import { GuardContext, type GuardOptions, TapSet } from '../../src/index.ts';

/** A guard on these members. */
function guarding(breaker: Breaker, members: readonly object[], options: GuardOptions = {}) {
  const context = new GuardContext(breaker, options);
  const taps = new TapSet(context);
  for (const member of members) taps.claim(member, 'a member');
  context.settle(taps.claimed);
  const uninstall = (): void => {
    context.close();
    taps.undo();
  };
  return { context, uninstall };
}

function idOf({ context }: ReturnType<typeof guarding>): string {
  const run = context.openRun();
  context.closeRun(run);
  return run.conversation.id;
}

describe('the conversations of teams', () => {
  it('[KIT82] are the main one for the first team, and new ones for all others', () => {
    const breaker = new Breaker();
    const guards = [{}, {}, {}].map((member) => guarding(breaker, [member]));
    expect(guards.map(idOf)).toEqual(['', 'team 2', 'team 3']);
  });

  it('[KIT82] are none that a restored breaker knows already', () => {
    const before = new Breaker();
    before.conversation('team 2').stop('enough');
    const breaker = new Breaker();
    breaker.restore(before.snapshot());
    const guards = [{}, {}].map((member) => guarding(breaker, [member]));
    expect(guards.map(idOf)).toEqual(['', 'team 3']);
  });

  it('[KIT82] are found again by the same members, and not where one of them is another', () => {
    const breaker = new Breaker();
    const [first, shared, own] = [{}, {}, {}];
    guarding(breaker, [first]);
    const team = guarding(breaker, [shared, own]);
    expect(idOf(team)).toBe('team 2');
    team.uninstall();
    const again = guarding(breaker, [shared, own]);
    expect(idOf(again)).toBe('team 2');
    again.uninstall();
    expect(idOf(guarding(breaker, [shared, {}]))).toBe('team 3');
  });

  it('[KIT82] have others beside them for runs at the same time', () => {
    const breaker = new Breaker();
    guarding(breaker, [{}]);
    const { context } = guarding(breaker, [{}]);
    const runs = [context.openRun(), context.openRun()];
    expect(runs.map(({ conversation }) => conversation.id)).toEqual(['team 2', 'team 2, run 2']);
  });

  it('[KIT83] are shared by guards that name the same one', () => {
    const breaker = new Breaker();
    const guards = [{}, {}].map((one) => guarding(breaker, [one], { conversation: 'ann' }));
    const runs = guards.map(({ context }) => context.openRun());
    expect(runs.map(({ conversation }) => conversation.id)).toEqual(['ann', 'ann, run 2']);
  });

  it('[KIT84] are forgotten with their guard, but for open circuits and named ones', () => {
    const breaker = new Breaker();
    guarding(breaker, [{}]);
    const closed = guarding(breaker, [{}]);
    const open = guarding(breaker, [{}]);
    const named = guarding(breaker, [{}], { conversation: 'ann' });
    for (const guard of [closed, open, named]) idOf(guard);
    open.context.conversation.stop('enough');
    for (const guard of [closed, open, named]) guard.uninstall();
    expect(Object.keys(breaker.snapshot().conversations)).toEqual(['', 'ann', 'team 3']);
    expect([closed.context.trip, open.context.trip?.reason]).toEqual([undefined, 'enough']);
  });

  it('[KIT85] say of a trip from before the run that the circuit is still open, and for how long', async () => {
    let now = 0;
    const breaker = new Breaker({ now: () => now, detectors: [alarmOn(says('stuck'))] });
    const { context } = guarding(breaker, [{}]);
    breaker.observe({ kind: 'message', agent: 'writer', text: 'stuck' });
    now = 8_000;
    const run = context.openRun();
    const place = { run, depth: 0, path: ['team'] };
    const turn = { kind: 'turn', ...context.originOf('writer') } as const;
    const step = context.within(place, () => context.step(turn, () => 'Hello'));
    await expect(step).rejects.toThrow('the circuit is still open for 52 s after an earlier run: ');
    context.closeRun(run);
  });
});
