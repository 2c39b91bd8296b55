import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, installGuard, overlay, TapSet } from '../../src/index.ts';

const REHEARSAL = { round: async () => {}, speakers: [] };

describe('a set of taps', () => {
  it('[KIT22] claims each object once, and for one guard of a breaker', () => {
    const breaker = new Breaker();
    const [first, second] = [1, 2].map(() => new TapSet(new GuardContext(breaker)));
    const agent = {};
    expect([first?.claim(agent, 'ann'), first?.claim(agent, 'ann')]).toEqual([true, false]);
    expect(() => second?.claim(agent, 'ann')).toThrow(
      'cannot guard ann: already guarded by this breaker; uninstall that guard first, or give this one a breaker of its own',
    );
    expect(new TapSet(new GuardContext(new Breaker())).claim(agent, 'ann')).toBe(true);
    first?.undo();
    expect(second?.claim(agent, 'ann')).toBe(true);
  });

  it('[KIT22] claims no object that the breaker of another tenant holds, and says what to do', () => {
    const breaker = new Breaker();
    const agent = {};
    const held = new TapSet(new GuardContext(breaker.for({ user: 'ann' })));
    held.claim(agent, 'writer');
    for (const one of [breaker, breaker.for({ user: 'bob' }), breaker.for({ user: 'ann' })]) {
      const other = new TapSet(new GuardContext(one));
      expect(() => other.claim(agent, 'writer')).toThrow('guard.run({ user }, () => …)');
    }
    expect(new TapSet(new GuardContext(new Breaker())).claim(agent, 'writer')).toBe(true);
    held.undo();
    const next = new TapSet(new GuardContext(breaker.for({ user: 'bob' })));
    expect(next.claim(agent, 'writer')).toBe(true);
  });

  it('[KIT23] is taken off as a whole when the installation fails', () => {
    const agent = { act: 'original' };
    const context = new GuardContext(new Breaker());
    const install = () =>
      installGuard(context, (taps) => {
        taps.claim(agent, 'ann');
        taps.replace(agent, 'ann', 'act', 'tapped');
        throw new Error('no such member');
      });
    expect(install).toThrow('no such member');
    expect(agent.act).toBe('original');
    expect(context.shared.guarded.has(agent)).toBe(false);
  });

  it('[KIT24] passes no self-test without a tap, or with one that lets a step through', async () => {
    const agent = { act: async () => 'done' };
    const bare = installGuard(new GuardContext(new Breaker()), () => REHEARSAL);
    expect(await bare.selfTest()).toEqual({ isPassed: false, checks: [], unguarded: [] });
    const open = installGuard(new GuardContext(new Breaker()), (taps) => {
      const { act } = agent;
      taps.replace(agent, 'ann', 'act', act, [act]);
      return REHEARSAL;
    });
    const problem = 'a step was admitted after a trip';
    expect((await open.selfTest()).checks).toEqual([
      { owner: 'ann', member: 'act', isWorking: false, problem },
    ]);
  });

  it('[KIT24] passes no self-test if a known loop goes unnoticed', async () => {
    const context = new GuardContext(new Breaker());
    const agent = { act: async () => 'done' };
    const guard = installGuard(context, (taps) => {
      const act = () => context.step({ kind: 'turn', ...context.originOf('ann') }, async () => '');
      taps.replace(agent, 'ann', 'act', act, [act]);
      return { round: act, speakers: ['act'] };
    });
    const { checks } = await guard.selfTest();
    expect(checks.map(({ problem }) => problem)).toEqual([
      'a known loop was not detected: none of its turns was reported as a message',
    ]);
  });

  it('[KIT24] does not speak of missing messages where a loop was heard that nobody asked for', async () => {
    const context = new GuardContext(new Breaker());
    const guard = installGuard(context, (taps) => {
      const act = async () =>
        context.observe({ kind: 'message', ...context.originOf('ann'), text: 'Thank you.' });
      taps.replace({ act }, 'ann', 'act', act);
      return { round: act, speakers: ['act'] };
    });
    const { checks } = await guard.selfTest();
    expect(checks.map(({ problem }) => problem)).toEqual(['a known loop was not detected']);
  });

  it('[KIT23] takes off what a part of an installation has tapped that fails, and nothing else', () => {
    const breaker = new Breaker();
    const taps = new TapSet(new GuardContext(breaker));
    const [kept, dropped] = [{ act: 'original' }, { act: 'original' }];
    taps.claim(kept, 'ann');
    taps.replace(kept, 'ann', 'act', 'tapped');
    const work = () => {
      taps.claim(dropped, 'bob');
      taps.replace(dropped, 'bob', 'act', 'tapped');
      throw new Error('no such member');
    };
    expect(() => taps.whole(work)).toThrow('no such member');
    expect([kept.act, dropped.act]).toEqual(['tapped', 'original']);
    expect([...taps.claimed]).toEqual([kept]);
    expect(taps.all.map(({ owner }) => owner)).toEqual(['ann']);
  });
});

describe('overlay', () => {
  it('[KIT25] is the original in everything but its changes, private members included', () => {
    class Model {
      #calls = 0;
      name = 'm';
      ask(): number {
        return ++this.#calls;
      }
      get calls(): number {
        return this.#calls;
      }
    }
    const model = new Model();
    const tapped = overlay(model, { name: 'tapped' });
    expect([tapped.ask(), tapped.ask(), tapped.calls, tapped.name]).toEqual([1, 2, 2, 'tapped']);
    expect(tapped).toBeInstanceOf(Model);
    expect(tapped.constructor).toBe(Model);
    expect(model.name).toBe('m');
  });

  it('[KIT25] hands what is set on to the original', () => {
    const model = { name: 'm', temperature: 0 };
    const tapped = overlay(model, { name: 'tapped' });
    tapped.temperature = 1;
    expect([tapped.temperature, model.temperature]).toEqual([1, 1]);
  });
});
