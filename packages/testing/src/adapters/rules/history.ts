import type { BreakerError } from '@teamfuse/core';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { alarmOn, says } from '../alarm.ts';
import { ensure, equal, fail } from '../expect.ts';
import { speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';

const TASK = 'nightly report';
const LAST_RUNS = 6;

/** A task that keeps failing alike is refused before anything of it begins. */
export const HISTORY_RULES: readonly RuleDraft[] = [
  rule(
    'ADP72',
    'keeps how each outermost run ended, and refuses the seventh one after six that failed alike',
    ['speaker'],
    async (harness) => {
      const store = new MemoryHistoryStore();
      const scene = (line: string): Scene =>
        new Scene(harness, team([speaker('ann', line), speaker('bob', 'well')]), {
          breaker: { detectors: [alarmOn(says('stuck'))] },
          guard: { history: { store, task: TASK, lastRuns: LAST_RUNS } },
        });
      const well = scene('fine');
      expectEnded(await well.run());
      const broken = scene('fine');
      broken.stage.on('speaker ann', () => {
        throw new Error('no power');
      });
      await broken.run();
      const [{ failure } = {}] = store.latest(TASK, 1);
      const reason = String(failure?.reason);
      ensure(reason.includes('no power'), `the error that was kept: ${reason}`);
      for (let run = 0; run < LAST_RUNS; run++) {
        const failing = scene('stuck');
        failing.expectStopped(await failing.run());
      }
      const refused = scene('fine');
      const { error } = await refused.run();
      refused.expectBegun();
      if (error === undefined) fail('the seventh run was not refused');
      equal((error as BreakerError).code, 'REPEATED_FAILURE', 'the code of the error');
      const outcomes = store.latest(TASK, 99).map(({ outcome }) => outcome);
      const failed = Array.from({ length: LAST_RUNS }, () => 'failed');
      equal(outcomes, [...failed, 'failed', 'completed'], 'the outcomes that were kept');
    },
  ),
];
