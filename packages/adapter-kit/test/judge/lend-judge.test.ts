import { Breaker, type Confirm, InvalidOptionError } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { GuardContext, installGuard } from '../../src/index.ts';
import { guard } from '../support/guard.ts';
import { scriptedModel, stall } from '../support/scripted-model.ts';

const NO: Confirm = () => 0;

describe('the judge that a guard lends', () => {
  it('[KIT75] is the model of the team with judge: true', async () => {
    const breaker = new Breaker();
    const { calls, model } = scriptedModel({ probability: 1, reason: 'It comes round.' });
    guard(breaker, { judge: true }, model);
    await stall(breaker);
    expect(calls.length).toBeGreaterThan(0);
    expect(breaker.conversation().trip?.reason).toBe(
      "the judge is 100% sure that the team is going in circles: 'It comes round.'",
    );
  });

  it.each<[string, Confirm | { readonly confirm: Confirm }]>([
    ['a function', NO],
    ['an object with confirm', { confirm: NO }],
  ])('[KIT75] is one of your own if that is given: %s', async (_, judge) => {
    const breaker = new Breaker();
    const { calls, model } = scriptedModel({ probability: 1 });
    guard(breaker, { judge }, model);
    await stall(breaker);
    expect(breaker.judged.questions).toBeGreaterThan(0);
    expect(calls).toEqual([]);
  });

  it('[KIT75] is what the options of the breaker say where those of the guard say nothing', () => {
    const { model } = scriptedModel({ probability: 0 });
    const isLent = (own: boolean | undefined, asked: boolean | undefined): boolean => {
      const breaker = new Breaker(own === undefined ? {} : { judge: own });
      guard(breaker, asked === undefined ? {} : { judge: asked }, model);
      return internalsOf(breaker).judges.current !== undefined;
    };
    expect(isLent(true, undefined)).toBe(true);
    expect(isLent(true, false)).toBe(false);
    expect(isLent(false, undefined)).toBe(false);
    expect(isLent(false, true)).toBe(true);
  });

  it.each([true, 'gpt-4o-mini'])(
    '[KIT76] is refused where the team has no model: judge: %j',
    (judge) => {
      const breaker = new Breaker();
      expect(() => guard(breaker, { judge })).toThrow(
        `cannot guard the team: judge: ${JSON.stringify(judge)} asks a model of the team, and none of its agents or managers has a model client; pass a judge of your own, or judge: false`,
      );
      expect(internalsOf(breaker).judges.current).toBeUndefined();
    },
  );

  it('[KIT76] leaves nothing installed if it is refused', () => {
    const tapped = { work: () => 'done' };
    const { work } = tapped;
    const context = new GuardContext(new Breaker({ excerpts: false }), { judge: NO });
    const install = (): unknown =>
      installGuard(context, (taps) => {
        taps.claim(tapped, 'tapped');
        taps.replace(tapped, 'tapped', 'work', () => 'tapped');
        return { round: async () => {}, speakers: [] };
      });
    expect(install).toThrow(InvalidOptionError);
    expect(install).toThrow('judge cannot be combined with excerpts: false');
    expect(tapped.work).toBe(work);
  });

  it('[KIT77] is not asked where the breaker was made with one', async () => {
    const breaker = new Breaker({ judge: NO });
    const { calls, model } = scriptedModel({ probability: 1 });
    guard(breaker, { judge: true }, model);
    guard(breaker, { judge: true });
    await stall(breaker);
    expect(calls).toEqual([]);
  });

  it('[KIT77] is the one of the first guard, and of the next one once that is uninstalled', async () => {
    const breaker = new Breaker({ repetition: false, speakerCycle: false });
    const [first, second] = [scriptedModel({ probability: 0 }), scriptedModel({ probability: 0 })];
    const guards = [first, second].map(({ model }) => guard(breaker, { judge: true }, model));
    await stall(breaker);
    expect([first.calls.length > 0, second.calls.length]).toEqual([true, 0]);
    const before = first.calls.length;
    guards[0]?.uninstall();
    guards[0]?.uninstall();
    await stall(breaker);
    expect([first.calls.length, second.calls.length > 0]).toEqual([before, true]);
    guards[1]?.uninstall();
    expect(internalsOf(breaker).judges.current).toBeUndefined();
  });

  it.each([5, '', {}, null])('[KIT34] is refused if it is %j, naming the option', (judge) => {
    expect(() => new GuardContext(new Breaker(), { judge } as never)).toThrow(
      expect.objectContaining({ option: 'judge' }),
    );
  });
});
