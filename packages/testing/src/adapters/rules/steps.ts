import { FakeClock } from '../../fake-clock.ts';
import { alarmOn, says } from '../alarm.ts';
import { equal } from '../expect.ts';
import { assistant, coding, lookAndSay, nested, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, expectKept, runUnguarded, Scene } from '../scene.ts';

const COOLDOWN_MS = 1000;

/** Every step is asked for before it begins, and nothing begins after a trip. */
export const STEP_RULES: readonly RuleDraft[] = [
  rule('ADP1', 'asks for a turn before it begins', ['speaker'], async (harness) => {
    const script = team([speaker('ann', 'first'), speaker('bob', 'second')]);
    const scene = new Scene(harness, script, { breaker: { detectors: [alarmOn(says('first'))] } });
    scene.expectStopped(await scene.run());
    scene.expectBegun('speaker ann');
  }),
  rule(
    'ADP2',
    'asks for a model call before it begins, even in the middle of a turn',
    ['model', 'tool'],
    async (harness) => {
      const script = team([assistant('bot', lookAndSay('done'))]);
      const detectors = [alarmOn(({ kind }) => kind === 'tool-call')];
      const scene = new Scene(harness, script, { breaker: { detectors } });
      scene.expectStopped(await scene.run());
      scene.expectBegun('model bot', 'tool bot look');
    },
  ),
  rule(
    'ADP3',
    'asks for a tool call before it begins, even in the middle of a turn',
    ['model', 'tool'],
    async (harness) => {
      const script = team([assistant('bot', lookAndSay('done'))]);
      const detectors = [alarmOn(({ kind }) => kind === 'usage')];
      const scene = new Scene(harness, script, { breaker: { detectors } });
      scene.expectStopped(await scene.run());
      scene.expectBegun('model bot');
    },
  ),
  rule(
    'ADP4',
    'asks for a code run before it begins, even in the middle of a turn',
    ['code', 'before-code'],
    async (harness) => {
      const script = team(coding({ language: 'python', code: 'print(1)', output: '1' }));
      const scene = new Scene(harness, script);
      scene.stage.on('before code runner', () => scene.breaker.stop('no code'));
      scene.expectStopped(await scene.run(), 'no code');
      scene.expectBegun('speaker author', 'before code runner');
    },
  ),
  rule('ADP5', 'asks for nested work before it begins', ['nested', 'speaker'], async (harness) => {
    const script = team([speaker('ann', 'first'), nested(speaker('bob', 'inside'))]);
    const detectors = [alarmOn(({ kind }) => kind === 'nested-start')];
    const scene = new Scene(harness, script, { breaker: { detectors } });
    scene.expectStopped(await scene.run());
    scene.expectBegun('speaker ann');
  }),
  rule(
    'ADP6',
    'ends everything around nested work when the circuit opens inside',
    ['nested', 'speaker'],
    async (harness) => {
      const inner = nested(speaker('bob', 'inside'), speaker('cy', 'further inside'));
      const script = team([speaker('ann', 'first'), inner, speaker('dora', 'last')]);
      const detectors = [alarmOn(says('inside'))];
      const scene = new Scene(harness, script, { breaker: { detectors } });
      const end = await scene.run();
      scene.expectStopped(end);
      scene.expectBegun('speaker ann', 'speaker bob');
      expectKept(end, 'first');
    },
  ),
  rule(
    'ADP7',
    'ends everything around nested work when it is stopped by hand inside',
    ['nested', 'model'],
    async (harness) => {
      const inner = nested(assistant('bot', lookAndSay('inside')));
      const scene = new Scene(harness, team([inner, speaker('dora', 'last')]));
      scene.stage.on('model bot', () => scene.breaker.stop('by hand'));
      scene.expectStopped(await scene.run(), 'by hand');
      scene.expectBegun('model bot');
    },
  ),
  rule(
    'ADP8',
    'keeps what was said before a trip, and gives its reason as the stop reason',
    ['speaker'],
    async (harness) => {
      const members = ['ann', 'bob', 'cy'].map((name) => speaker(name, `${name} speaks`));
      const detectors = [alarmOn(says('bob speaks'))];
      const scene = new Scene(harness, team(members), { breaker: { detectors } });
      const end = await scene.run();
      scene.expectStopped(end);
      expectKept(end, 'ann speaks', 'bob speaks');
    },
  ),
  rule(
    'ADP9',
    'begins nothing in a run that starts while the circuit is open',
    ['speaker'],
    async (harness) => {
      const scene = new Scene(harness, team([speaker('ann', 'first')]));
      scene.breaker.stop('closed for today');
      scene.expectStopped(await scene.run(), 'closed for today');
      scene.expectBegun();
    },
  ),
  rule(
    'ADP10',
    'keeps a run stopped, however short the cool-down is',
    ['model', 'tool', 'speaker'],
    async (harness) => {
      const clock = new FakeClock(1);
      const script = team([assistant('bot', lookAndSay('done')), speaker('ann', 'news')]);
      const detectors = [alarmOn(({ kind }) => kind === 'tool-call')];
      const breaker = { detectors, now: clock.now, cooldownMs: COOLDOWN_MS };
      const scene = new Scene(harness, script, { breaker });
      scene.breaker.on('trip', () => clock.advance(2 * COOLDOWN_MS));
      scene.expectStopped(await scene.run());
      scene.expectBegun('model bot', 'tool bot look');
    },
  ),
  rule('ADP11', 'changes nothing about a run that is not stopped', ['speaker'], async (harness) => {
    const script = team([speaker('ann', 'first', 'third'), speaker('bob', 'second', 'fourth')], 4);
    const plain = await runUnguarded(harness, script);
    const breaker = { reaction: 'observe', detectors: [alarmOn(says('second'))] } as const;
    const scene = new Scene(harness, script, { breaker });
    const end = await scene.run();
    expectEnded(end);
    equal(end, plain.end, 'the end of the guarded run');
    scene.expectBegun(...plain.stage.journal);
  }),
];
