import { Breaker, type Finding } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, type GuardOptions } from '../../src/index.ts';

const finding = (reason: string): Finding => ({
  level: 'warn',
  kind: 'custom:alarm',
  reason,
  evidence: { agents: [], indices: [], count: 1, limit: 1 },
});

function nudges(options: GuardOptions = { nudge: ({ reason }) => reason }) {
  const context = new GuardContext(new Breaker(), options);
  return { context, nudges: context.nudges };
}

describe('warnings that are pending', () => {
  it('[KIT48] are taken together, in order, once, by their conversation', () => {
    const { nudges: pending } = nudges();
    pending.add('', finding('first'));
    pending.add('', finding('second'));
    pending.add('run 2', finding('other'));
    expect(pending.take('')).toBe('first\nsecond');
    expect(pending.take('')).toBeUndefined();
    expect(pending.pending('run 2')).toEqual(['other']);
  });

  it('[KIT48] stay if they came after those that were handed over', () => {
    const { nudges: pending } = nudges();
    pending.add('', finding('first'));
    const handedOver = pending.pending('');
    pending.add('', finding('second'));
    pending.drop('', handedOver);
    expect(pending.pending('')).toEqual(['second']);
    pending.drop('', ['second']);
    expect([pending.pending(''), pending.take('')]).toEqual([[], undefined]);
    pending.drop('', ['never there']);
    expect(pending.take('')).toBeUndefined();
  });

  it('[KIT48] say what was found, and ask for something new', () => {
    const { nudges: pending } = nudges({});
    pending.add('', finding('ann repeats herself'));
    expect(pending.take('')).toBe(
      'Notice: ann repeats herself. Progress is anything that has not been said or tried. Otherwise say what you have found so far, or that the task cannot be finished.',
    );
  });

  it.each([
    [{}, undefined],
    [{ dropsNudges: false }, 'old'],
  ])('[KIT48] are dropped when a run begins, unless it says otherwise: %j', (options, left) => {
    const { context } = nudges();
    context.nudges.add('', finding('old'));
    context.openRun(options);
    expect(context.takeNudge()).toBe(left);
  });
});

describe('the prompts of a team that was told of its loop', () => {
  const PROMPT = ['go', 'ok', 'ok'];

  function told() {
    const context = new GuardContext(new Breaker({ now: () => 0, reaction: 'ladder' }), {
      cutLaps: true,
    });
    context.listen();
    const call = { kind: 'tool-call', at: 0, agent: 'ann', tool: 'look', args: {} } as const;
    context.observe({ ...call, result: 'nothing' });
    context.observe({ ...call, result: 'nothing' });
    return context;
  }

  it('[KIT141] leave out the laps that repeat it', () => {
    expect(told().withoutLaps(PROMPT)).toEqual(['go', 'ok']);
  });

  it.each<[string, (context: GuardContext) => unknown]>([
    ['a run begins', (context) => context.openRun()],
    ['the breaker is reset', (context) => context.breaker.reset()],
    [
      'a person speaks',
      (context) => context.observe({ kind: 'human-input', at: 0, agent: 'P', text: 'Count them.' }),
    ],
  ])('[KIT141] have all that was said once %s', (_, happens) => {
    const context = told();
    happens(context);
    expect(context.withoutLaps(PROMPT)).toEqual(PROMPT);
  });
});
