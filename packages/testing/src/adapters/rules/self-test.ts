import { Breaker } from '@teamfuse/core';
import { ensure, equal } from '../expect.ts';
import { assistant, lookAndSay, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';

const SCRIPT = team([speaker('ann', 'one'), assistant('bot', lookAndSay('done'))]);

/** A guard can prove that it is wired. */
export const SELF_TEST_RULES: readonly RuleDraft[] = [
  rule(
    'ADP67',
    'passes its self-test when it is fresh',
    ['speaker', 'model', 'tool'],
    async (harness) => {
      const report = await new Scene(harness, SCRIPT).guard.selfTest();
      equal(Object.keys(report).sort(), ['checks', 'isPassed', 'unguarded'], 'the fields');
      const broken = report.checks.filter(({ isWorking }) => !isWorking);
      equal(broken, [], 'the taps that do not work');
      ensure(report.checks.length > 0, 'there are no checks');
      equal(report.isPassed, true, 'isPassed');
      equal(report.unguarded, [], 'what is not guarded');
    },
  ),
  rule(
    'ADP68',
    'names a tap in its self-test that something else has replaced',
    ['speaker', 'model', 'tool'],
    async (harness) => {
      const { team: built, guard } = new Scene(harness, SCRIPT);
      const member = built.breakTap();
      const { isPassed, checks } = await guard.selfTest();
      equal(isPassed, false, 'isPassed');
      const broken = checks.filter(({ isWorking }) => !isWorking);
      ensure(
        broken.some((check) => check.member === member && check.problem !== undefined),
        `'${member}' is not among the broken taps, ${JSON.stringify(broken)}`,
      );
    },
  ),
  rule(
    'ADP69',
    'touches neither the breaker nor models and tools in its self-test',
    ['speaker', 'model', 'tool'],
    async (harness) => {
      const scene = new Scene(harness, SCRIPT);
      const before = scene.breaker.snapshot();
      await scene.guard.selfTest();
      equal(scene.breaker.snapshot(), before, 'the state of the breaker');
      equal(scene.signals, [], 'the signals');
      scene.expectBegun();
      expectEnded(await scene.run());
      scene.expectBegun('speaker ann', 'model bot', 'tool bot look', 'model bot');
      ensure(scene.guard.trip === undefined, 'the self-test has stopped the team');
    },
  ),
];

/** A self-test is between a guard and its team. */
export const OTHER_GUARD_RULES: readonly RuleDraft[] = [
  rule(
    'ADP76',
    'touches no other guard of the team in its self-test',
    ['speaker', 'model', 'tool'],
    async (harness) => {
      const { breaker, guard, team: built } = new Scene(harness, SCRIPT);
      const other = new Breaker();
      const latest = built.guard(other, {});
      const before = [breaker.snapshot(), other.snapshot()];
      const reports = [await guard.selfTest(), await latest.selfTest()];
      equal(
        reports.map(({ isPassed }) => isPassed),
        [true, true],
        'isPassed of both',
      );
      equal([breaker.snapshot(), other.snapshot()], before, 'the states of the breakers');
    },
  ),
];
