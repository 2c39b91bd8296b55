import { ensure, equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, expectKept, Scene } from '../scene.ts';
import type { ModelScript } from '../script.ts';

const LOOK: ModelScript = { calls: [{ tool: 'look', args: { at: 'sky' }, result: 'blue' }] };
const TOLD = 'Look elsewhere.';
const MAX_CALLS = 20;
const REFUSED = 'This call is not made again.';

/** A scene whose team is told first, and whose only member answers by its prompt. */
function climbing(
  harness: AdapterHarness,
  by: (prompt: string, call: number) => ModelScript,
  cutLaps = false,
): Scene {
  const script = team([assistant('bot', [LOOK, { says: 'never' }])]);
  const scene = new Scene(harness, script, {
    breaker: { reaction: 'ladder' },
    guard: { cutLaps, nudge: (_, cause) => (cause === 'refused' ? REFUSED : TOLD) },
  });
  let calls = 0;
  // Without a guard that works, an agent would never end.
  const most: ModelScript = { says: 'never' };
  scene.stage.answer('bot', (prompt) =>
    ++calls > MAX_CALLS ? most : by(prompt.join('\n'), calls),
  );
  return scene;
}

/** How often something has begun. */
function begun({ stage }: Scene, entry: string): number {
  return stage.journal.filter((one) => one === entry).length;
}

/** With `reaction: 'ladder'` a team is told before it is stopped. */
export const LADDER_RULES: readonly RuleDraft[] = [
  rule(
    'ADP94',
    'tells an agent of its loop before its next model call, and leaves alone one that heeds it',
    ['model', 'tool', 'nudge'],
    async (harness) => {
      const scene = climbing(harness, (prompt) =>
        prompt.includes(TOLD) ? { says: 'it is blue' } : LOOK,
      );
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'it is blue');
      equal(begun(scene, 'tool bot look'), 2, 'how often the tool was called');
      equal(scene.guard.trip, undefined, 'guard.trip');
    },
  ),
  rule(
    'ADP95',
    'refuses a repeated call alone, with the reason as its result, and goes on',
    ['model', 'tool'],
    async (harness) => {
      const scene = climbing(harness, (prompt) =>
        prompt.includes(REFUSED) ? { says: 'blue, then' } : LOOK,
      );
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'blue, then');
      equal(begun(scene, 'tool bot look'), 2, 'how often the tool was called');
      equal(begun(scene, 'model bot'), 4, 'how often the model was asked');
      equal(scene.guard.trip, undefined, 'guard.trip');
      const codes = scene.ofKind('tool-call').map(({ error }) => error?.code);
      equal(codes, [undefined, undefined, 'TEAMFUSE_REFUSED'], 'the reported calls');
    },
  ),
  rule(
    'ADP96',
    'stops an agent that ignores what it is told at its fifth lap',
    ['model', 'tool'],
    async (harness) => {
      const scene = climbing(harness, () => LOOK);
      await scene.run();
      equal(begun(scene, 'tool bot look'), 2, 'how often the tool was called');
      equal(begun(scene, 'model bot'), 5, 'how often the model was asked');
      equal(scene.guard.trip?.basis, 'certain', 'the basis of guard.trip');
    },
  ),
  rule(
    'ADP97',
    'tells an agent nothing that looks at other things each time',
    ['model', 'tool'],
    async (harness) => {
      const looks = ['sky', 'sea', 'sand', 'port'];
      const scene = climbing(harness, (_, call) => {
        const at = looks[call - 1];
        if (at === undefined) return { says: 'seen' };
        return { calls: [{ tool: 'look', args: { at }, result: `${at} is there` }] };
      });
      let warnings = 0;
      scene.breaker.on('finding', ({ effect }) => {
        if (effect === 'warn') warnings++;
      });
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'seen');
      equal(begun(scene, 'tool bot look'), looks.length, 'how often the tool was called');
      ensure(warnings === 0 && scene.guard.trip === undefined, 'the team was told or stopped');
    },
  ),
  rule(
    'ADP98',
    'asks an agent that was told of its loop without the laps that repeat it, where `cutLaps` is set',
    ['model', 'tool', 'nudge'],
    async (harness) => {
      for (const cutLaps of [false, true]) {
        const results: number[] = [];
        const by = (prompt: string): ModelScript => {
          results.push(prompt.split('blue').length - 1);
          return prompt.includes(TOLD) ? { says: 'it is clear' } : LOOK;
        };
        const scene = climbing(harness, by, cutLaps);
        const end = await scene.run();
        expectEnded(end);
        expectKept(end, 'it is clear');
        equal(results, cutLaps ? [0, 1, 1] : [0, 1, 2], 'the results in each prompt');
      }
    },
  ),
];
