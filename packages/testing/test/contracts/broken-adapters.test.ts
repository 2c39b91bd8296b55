import { setImmediate } from 'node:timers/promises';
import type { Guard, GuardOptions } from '@teamfuse/adapter-kit';
import type { Breaker } from '@teamfuse/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Blackboard } from '../../../adapter-kit/test/support/blackboard.ts';
import { boardHarness } from '../../../adapter-kit/test/support/board-harness.ts';
import { guardBoard } from '../../../adapter-kit/test/support/guard-board.ts';
import { type AdapterHarness, adapterContract } from '../../src/adapters/index.ts';

type Install = (board: Blackboard, breaker: Breaker, options: GuardOptions) => Guard;

/** A guard whose refusals of these skills are swallowed, as by a framework whose callbacks may not throw. */
function swallowing(skills: readonly ('oracle' | 'instruments')[]): Install {
  return (board, breaker, options) => {
    const before = board.experts.map((expert) => ({ ...expert.skills }));
    const guard = guardBoard(board, breaker, options);
    for (const [at, expert] of board.experts.entries()) {
      const { oracle, instruments = {} } = expert.skills;
      const own = before[at];
      if (oracle && own?.oracle && skills.includes('oracle')) {
        const ask: typeof oracle.ask = (...given) =>
          oracle.ask(...given).catch(() => own.oracle?.ask(...given) as never);
        Object.assign(expert.skills, { oracle: { ...oracle, ask } });
      }
      if (!skills.includes('instruments')) continue;
      for (const [name, use] of Object.entries(instruments)) {
        instruments[name] = (...given) =>
          use(...given).catch(() => own?.instruments?.[name]?.(...given) as never);
      }
    }
    return guard;
  };
}

/** Guards that each do one thing wrong, and the rules that find it. */
const BROKEN: readonly (readonly [what: string, rules: readonly string[], install: Install])[] = [
  [
    'guards nothing',
    [
      'ADP1',
      'ADP2',
      'ADP8',
      'ADP12',
      'ADP16',
      'ADP27',
      'ADP31',
      'ADP46',

      'ADP58',
      'ADP67',
    ],
    (board, breaker) => {
      const guard = guardBoard(board, breaker);
      guard.uninstall();
      return guard;
    },
  ],
  [
    'stays installed',
    ['ADP42', 'ADP43', 'ADP44', 'ADP78'],
    (board, breaker, options) => {
      const guard = guardBoard(board, breaker, options);
      return { ...guard, uninstall: () => {}, trip: undefined };
    },
  ],
  [
    'keeps errors to itself',
    ['ADP33', 'ADP35'],
    (board, breaker) => guardBoard(board, breaker, { onError: () => {} }),
  ],
  [
    'forgets the options',
    ['ADP25', 'ADP31', 'ADP77', 'ADP78'],
    (board, breaker, { onError }) => guardBoard(board, breaker, onError ? { onError } : {}),
  ],
  ['throws where that is swallowed', ['ADP87', 'ADP88'], swallowing(['oracle', 'instruments'])],
  ['only refuses tools', ['ADP87'], swallowing(['oracle'])],
  [
    'passes its self-test whatever happens',
    ['ADP68'],
    (board, breaker, options) => {
      const guard = guardBoard(board, breaker, options);
      const checks = [{ owner: 'board', member: 'solve', isWorking: true }];
      return {
        ...guard,
        get trip() {
          return guard.trip;
        },
        selfTest: async () => ({ isPassed: true, checks, unguarded: [] }),
      };
    },
  ],
];

/** In how many turns of the event loop something has to happen that does not wait for a timer. */
const TURNS = 200;

/** The rules that a guard breaks. Time passes only while nothing else happens, so that nobody waits for what hangs. */
async function broken(install: Install): Promise<readonly string[]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const rules = adapterContract(boardHarness(install));
  const found: string[] = [];
  let left = rules.length;
  for (const { id, check } of rules) {
    check()
      .catch(() => found.push(id))
      .finally(() => left--);
  }
  while (left > 0) {
    const before = left;
    for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    if (left === before) vi.advanceTimersByTime(1_000);
  }
  return found;
}

afterEach(() => void vi.useRealTimers());

describe('the contract', () => {
  it.each(BROKEN)('[KIT30] finds a guard that %s', async (_, rules, install) => {
    const found = await broken(install);
    expect(rules.filter((id) => !found.includes(id))).toEqual([]);
  });

  it('[KIT31] reports a rule as skipped by what the framework lacks, and does not pass it', async () => {
    const harness = { ...boardHarness(guardBoard), lacks: { code: 'it only talks' } };
    const skipped = adapterContract(harness).filter(({ missing }) => missing.length > 0);
    expect(skipped.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['ADP4', 'ADP15', 'ADP22', 'ADP61']),
    );
    for (const { missing, reason, check } of skipped) {
      expect(missing).toContain('code');
      expect(reason).toBe('code: it only talks');
      await expect(check()).rejects.toThrow('cannot be checked without code');
    }
  });

  it('[KIT144] takes nothing for a trace of a guard that the framework leaves itself', async () => {
    const board = boardHarness(guardBoard);
    const harness: AdapterHarness = {
      ...board,
      build(script, stage) {
        const built = board.build(script, stage);
        const latest = { run: {} };
        return {
          ...built,
          parts: [...built.parts, latest],
          run(task, options) {
            latest.run = {};
            return built.run(task, options);
          },
        };
      },
    };
    const rules = adapterContract(harness).filter(({ id }) => ['ADP42', 'ADP43'].includes(id));
    for (const { check } of rules) await check();
    expect(rules).toHaveLength(2);
  });

  it('[KIT32] has an ID and a title of its own for each rule', () => {
    const rules = adapterContract(boardHarness(guardBoard));
    expect(rules.map(({ id }) => id)).toEqual(rules.map((_, at) => `ADP${at + 1}`));
    expect(new Set(rules.map(({ title }) => title)).size).toBe(rules.length);
  });
});
