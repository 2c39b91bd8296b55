import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, installGuard, type Rehearsal, type TapSet } from '../../src/index.ts';

type Install = (taps: TapSet, context: GuardContext<string>) => Omit<Rehearsal<string>, 'taps'>;

function selfTest(install: Install) {
  const context = new GuardContext<string>(new Breaker());
  return installGuard(context, (taps) => install(taps, context)).selfTest();
}

/** A tap of a member that asks for a turn and says something. */
function speaking(taps: TapSet, context: GuardContext<string>, say: () => string) {
  const agent = { act: async () => '' };
  const act = () =>
    context.step({ kind: 'turn', ...context.originOf('ann') }, async () => say(), {
      report: () => ({ kind: 'message', ...context.originOf('ann'), text: say() }),
    });
  taps.replace(agent, 'ann', 'act', act, [act]);
  return { agent, act };
}

describe('a self-test', () => {
  it('[KIT24] passes with a tap that is heard and refuses', async () => {
    const { isPassed, checks } = await selfTest((taps, context) => {
      const { act } = speaking(taps, context, () => 'Thank you.');
      return { round: act, speakers: ['act'] };
    });
    expect(isPassed).toBe(true);
    expect(checks).toEqual([{ owner: 'ann', member: 'act', isWorking: true }]);
  });

  it('[KIT24] does not take a step that fails by itself for one that was refused', async () => {
    const { checks } = await selfTest((taps) => {
      const fail = () => Promise.reject(new Error('out of order'));
      taps.replace({ act: fail }, 'ann', 'act', fail, [fail]);
      return { round: async () => {}, speakers: [] };
    });
    expect(checks.map(({ problem }) => problem)).toEqual(['a step was admitted after a trip']);
  });

  it('[KIT24] names a tap that something else has replaced, and the members that are unguarded', async () => {
    const report = await selfTest((taps, context) => {
      const { agent, act } = speaking(taps, context, () => 'Thank you.');
      agent.act = async () => 'something else';
      return { round: act, speakers: [], unguarded: ['bob'] };
    });
    const problem = 'something else has replaced it';
    const checks = [{ owner: 'ann', member: 'act', isWorking: false, problem }];
    expect(report).toEqual({ isPassed: false, checks, unguarded: ['bob'] });
  });

  it.each(['here', undefined])('[KIT24] takes place where the adapter says: %s', async (local) => {
    const places: unknown[] = [];
    await selfTest((_, context) => {
      const round = async () => places.push(context.scope);
      return { round, speakers: [], ...(local !== undefined && { local }) };
    });
    expect(places[0]).toMatchObject({ depth: 0, path: ['self-test'] });
    expect(Object.hasOwn(places[0] as object, 'local')).toBe(local !== undefined);
    expect(places[0]).toMatchObject(local === undefined ? {} : { local });
  });
});

describe('an installed guard', () => {
  it('[KIT44] lets work that wraps up use what the budget keeps back', async () => {
    const budget = { maxTokens: 100, reserveTokens: 50 };
    const context = new GuardContext(new Breaker({ budget }));
    const guard = installGuard(context, () => ({ round: async () => {}, speakers: [] }));
    expect(context.isWrapUp).toBe(false);
    expect(guard.wrapUp(() => [context.isWrapUp, context.scope?.path])).toEqual([
      true,
      ['wrap-up'],
    ]);
    expect(context.isWrapUp).toBe(false);
  });
});
