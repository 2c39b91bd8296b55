import { alarmOn, says } from '../alarm.ts';
import { equal } from '../expect.ts';
import { assistant, person, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';

const NUDGE = 'Do say something new.';
const WARN = {
  breaker: { reaction: 'warn', detectors: [alarmOn(says('again'))] },
  guard: { nudge: () => NUDGE },
} as const;

/** A warning reaches an agent that can act on it. */
export const NUDGE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP31',
    'hands a warning to the next agent that asks its model, once',
    ['model', 'nudge', 'speaker'],
    async (harness) => {
      const bot = assistant('bot', [{ says: 'one' }], [{ says: 'two' }]);
      const script = team([speaker('ann', 'again', 'and on'), bot], 4);
      const scene = new Scene(harness, script, WARN);
      expectEnded(await scene.run());
      const warned = scene.stage.prompts.map((texts) => texts.join('\n').split(NUDGE).length - 1);
      equal(warned, [1, 0], 'how often each prompt has the warning');
    },
  ),
  rule(
    'ADP32',
    'keeps a warning for an agent that asks a model, and reports it as a notice alone',
    ['model', 'nudge', 'person', 'speaker'],
    async (harness) => {
      const script = team([
        speaker('ann', 'again'),
        person('user', 'go on'),
        assistant('bot', [{ says: 'one' }]),
      ]);
      const scene = new Scene(harness, script, WARN);
      expectEnded(await scene.run());
      equal(scene.stage.prompts.flat().join('\n').split(NUDGE).length - 1, 1, 'the warnings');
      const told = scene.signals.filter((signal) => JSON.stringify(signal).includes(NUDGE));
      equal(
        told.map(({ kind, agent }) => `${kind} ${agent}`),
        ['notice teamfuse'],
        'the signals with the warning',
      );
    },
  ),
];
