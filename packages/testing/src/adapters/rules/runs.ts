import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { FakeClock } from '../../fake-clock.ts';
import { ALARM_REASON, alarmOn, says } from '../alarm.ts';
import { ensure, equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { type Ending, expectEnded, expectKept, inTime, Scene } from '../scene.ts';
import type { TeamScript } from '../script.ts';

interface SideBySide {
  readonly scenes: readonly [Scene, Scene];
  readonly ends: readonly [Ending, Ending];
}

/** Runs two teams of one breaker: the first one from beginning to end while the second one is in its first turn. */
async function sideBySide(
  harness: AdapterHarness,
  options: BreakerOptions,
  scripts: readonly [TeamScript, TeamScript],
  firstOfSecond: string,
): Promise<SideBySide> {
  const breaker = new Breaker(options);
  const first = new Scene(harness, scripts[0], { breaker });
  const second = new Scene(harness, scripts[1], { breaker });
  let goOn = (): void => {};
  const isFirstOver = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  second.stage.on(firstOfSecond, () => isFirstOver);
  const secondEnd = second.run();
  await inTime(second.stage.begun(firstOfSecond), 'the beginning of the second run');
  const firstEnd = await first.run();
  goOn();
  return { scenes: [first, second], ends: [firstEnd, await secondEnd] };
}

const STUCK = team([speaker('ann', 'stuck'), speaker('bob', 'never said')]);
const WELL = team([speaker('cy', 'well'), speaker('dora', 'quite well')]);
const SPENDING = { usage: { inputTokens: 80, outputTokens: 10 } };

/** Runs are separate in everything but spend. */
export const RUN_RULES: readonly RuleDraft[] = [
  rule(
    'ADP49',
    'ends only the run that trips of two side by side',
    ['speaker'],
    async (harness) => {
      const options = { detectors: [alarmOn(says('stuck'))] };
      const { scenes, ends } = await sideBySide(harness, options, [STUCK, WELL], 'speaker cy');
      expectEnded(ends[0]);
      expectEnded(ends[1]);
      scenes[0].expectBegun('speaker ann');
      scenes[1].expectBegun('speaker cy', 'speaker dora');
      expectKept(ends[1], 'well', 'quite well');
    },
  ),
  rule('ADP50', 'counts limits for each of two runs side by side', ['speaker'], async (harness) => {
    const { scenes, ends } = await sideBySide(
      harness,
      { maxMessages: 3 },
      [team([speaker('ann', 'one'), speaker('bob', 'two')]), WELL],
      'speaker cy',
    );
    for (const end of ends) expectEnded(end);
    scenes[0].expectBegun('speaker ann', 'speaker bob');
    scenes[1].expectBegun('speaker cy', 'speaker dora');
  }),
  rule(
    'ADP51',
    'has one budget for two runs side by side',
    ['model', 'speaker'],
    async (harness) => {
      const first = team([assistant('bot', [{ says: 'one', ...SPENDING }])]);
      const second = team([
        speaker('cy', 'well'),
        assistant('bob', [{ says: 'two', ...SPENDING }]),
      ]);
      const options = { budget: { maxTokens: 90 } };
      const { scenes, ends } = await sideBySide(harness, options, [first, second], 'speaker cy');
      expectEnded(ends[0]);
      scenes[1].expectBegun('speaker cy');
      equal(scenes[1].guard.trip?.kind, 'budget', 'the kind of the trip of the second run');
    },
  ),
  rule(
    'ADP52',
    "shares the circuit between two runs side by side with scope: 'breaker'",
    ['speaker'],
    async (harness) => {
      const options = { scope: 'breaker', detectors: [alarmOn(says('stuck'))] } as const;
      const { scenes, ends } = await sideBySide(harness, options, [STUCK, WELL], 'speaker cy');
      scenes[0].expectStopped(ends[0]);
      scenes[1].expectBegun('speaker cy');
      equal(scenes[1].guard.trip?.reason, ALARM_REASON, 'the reason of the second run');
    },
  ),
  rule(
    'ADP53',
    'shares the circuit between runs one after another',
    ['speaker'],
    async (harness) => {
      const script = team([speaker('ann', 'one', 'two', 'stuck', 'three')], 3);
      const clock = new FakeClock(1);
      const scene = new Scene(harness, script, {
        breaker: { detectors: [alarmOn(says('stuck'))], now: clock.now },
      });
      expectEnded(await scene.run());
      clock.advance(8000);
      const { stopReason, error } = await scene.run();
      equal(error, undefined, 'the error of the second run');
      const reason = `the circuit is still open for 52 s after an earlier run: ${ALARM_REASON}`;
      if (stopReason !== undefined) equal(stopReason, reason, 'the stop reason');
      equal(scene.guard.trip?.reason, ALARM_REASON, 'the reason of guard.trip');
      scene.expectBegun('speaker ann', 'speaker ann', 'speaker ann');
    },
  ),
  rule('ADP54', 'restarts declared limits with each run', ['speaker'], async (harness) => {
    const script = team([speaker('ann', 'one', 'three'), speaker('bob', 'two', 'four')]);
    const scene = new Scene(harness, script, { breaker: { maxMessages: 3 } });
    expectEnded(await scene.run());
    expectEnded(await scene.run());
    ensure(scene.guard.trip === undefined, 'the limit was reached by two runs together');
    equal(scene.stage.journal.length, 4, 'the number of turns');
  }),
];
