import { Breaker } from '@teamfuse/core';
import { FakeClock } from '../../fake-clock.ts';
import { ALARM_REASON, alarmOn, says } from '../alarm.ts';
import { equal } from '../expect.ts';
import { assistant, lookAndSay, nested, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';

const COOLDOWN_MS = 1000;
const OLD_STORY = 'The bridge is still closed to all traffic.';

/** A breaker that was opened, and has cooled down since. */
function cooledDown(): Breaker {
  const clock = new FakeClock(1);
  const detectors = [alarmOn(says(OLD_STORY))];
  const breaker = new Breaker({ now: clock.now, cooldownMs: COOLDOWN_MS, detectors });
  breaker.observe({ kind: 'message', at: clock.now(), agent: 'ann', text: OLD_STORY });
  clock.advance(COOLDOWN_MS);
  return breaker;
}

/** After the cool-down one turn is let through to see whether the team makes progress again. */
export const PROBE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP27',
    'admits one turn with all its steps after the cool-down, and continues after progress',
    ['model', 'tool', 'speaker'],
    async (harness) => {
      const bot = assistant('bot', lookAndSay('Nine herons stand at the weir.'));
      const script = team([bot, speaker('ann', 'Then we count them again at noon.')]);
      const scene = new Scene(harness, script, { breaker: cooledDown() });
      expectEnded(await scene.run());
      scene.expectBegun('model bot', 'tool bot look', 'model bot', 'speaker ann');
      equal(scene.breaker.conversation().state.status, 'closed', 'the state of the circuit');
    },
  ),
  rule(
    'ADP28',
    'lets nested work be the probe, with every step inside',
    ['nested', 'speaker'],
    async (harness) => {
      const inner = nested(speaker('ann', 'Nine herons stand at the weir.'));
      const script = team([inner, speaker('bob', 'Then we count them again at noon.')]);
      const scene = new Scene(harness, script, { breaker: cooledDown() });
      expectEnded(await scene.run());
      scene.expectBegun('speaker ann', 'speaker bob');
      equal(scene.breaker.conversation().state.status, 'closed', 'the state of the circuit');
    },
  ),
  rule(
    'ADP29',
    'opens again after a probe without progress, and ends the run',
    ['speaker'],
    async (harness) => {
      const script = team([speaker('ann', OLD_STORY), speaker('bob', 'next')]);
      const scene = new Scene(harness, script, { breaker: cooledDown() });
      scene.expectStopped(await scene.run(), ALARM_REASON);
      scene.expectBegun('speaker ann');
      const { state } = scene.breaker.conversation();
      equal(state.status === 'open' && state.openings, 2, 'how often the circuit has opened');
    },
  ),
  rule('ADP30', 'opens again after a probe that fails', ['model'], async (harness) => {
    const error = { message: 'no line', code: 'NETWORK' };
    const script = team([assistant('bot', [{ error }])]);
    const scene = new Scene(harness, script, { breaker: cooledDown() });
    await scene.run();
    equal(scene.breaker.conversation().state.status, 'open', 'the state of the circuit');
  }),
];
