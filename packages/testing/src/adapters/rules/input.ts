import { equal } from '../expect.ts';
import { person, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';

const TASK = 'Count the cranes.';

/** Only what a person writes settles what was before. */
export const INPUT_RULES: readonly RuleDraft[] = [
  rule(
    'ADP24',
    'does not take a task that code passes in for the input of a person',
    ['speaker'],
    async (harness) => {
      const scene = new Scene(harness, team([speaker('ann', 'three')]));
      expectEnded(await scene.run({ task: TASK }));
      const people = scene.ofKind('human-input').filter(({ isAutomatic }) => isAutomatic !== true);
      equal(people, [], 'the input of people');
    },
  ),
  rule(
    'ADP25',
    'takes a task for the input of a person where that is declared, and reports it first and once',
    ['speaker'],
    async (harness) => {
      const script = team([speaker('ann', 'three')]);
      const scene = new Scene(harness, script, { guard: { isTaskFromPerson: true } });
      expectEnded(await scene.run({ task: TASK }));
      const people = scene.ofKind('human-input');
      equal(
        people.map(({ text }) => text),
        [TASK],
        'the input of people',
      );
      equal(people[0]?.isAutomatic ?? false, false, 'isAutomatic');
      equal(scene.signals[0]?.kind, 'human-input', 'the first signal');
    },
  ),
  rule(
    'ADP26',
    'reports what a person answers once, as the input of a person',
    ['person', 'speaker'],
    async (harness) => {
      const script = team([speaker('ann', 'How many?'), person('user', 'Four.')]);
      const scene = new Scene(harness, script);
      expectEnded(await scene.run());
      const told = scene.signals.filter((signal) => 'text' in signal && signal.text === 'Four.');
      equal(
        told.map(({ kind }) => kind),
        ['human-input'],
        'the signals of the answer',
      );
      const [answer] = scene.ofKind('human-input').filter(({ text }) => text === 'Four.');
      equal(answer?.isAutomatic ?? false, false, 'isAutomatic');
    },
  ),
];
