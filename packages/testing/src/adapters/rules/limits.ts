import type { BreakerOptions } from '@teamfuse/core';
import { equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, expectKept, Scene } from '../scene.ts';
import type { ModelScript } from '../script.ts';

const REFUSED = 'This call is not made.';
const FIND: ModelScript = { calls: [{ tool: 'find', result: 'a boat' }] };
const SAYS: ModelScript = { says: 'seen' };

/** A look that tells something new. */
function look(i: number): ModelScript {
  return { calls: [{ tool: 'look', args: { at: `field ${i}` }, result: `${i} birds are there` }] };
}

/** A scene whose only member does this, one answer of its model after another. */
function doing(
  harness: AdapterHarness,
  breaker: BreakerOptions,
  answers: readonly ModelScript[],
): Scene {
  const script = team([assistant('bot', [...answers])]);
  return new Scene(harness, script, {
    breaker,
    guard: { nudge: ({ reason }, cause) => (cause === 'refused' ? REFUSED : reason) },
  });
}

/** How often something has begun. */
function begun({ stage }: Scene, entry: string): number {
  return stage.journal.filter((one) => one === entry).length;
}

const TWO_LOOKS: BreakerOptions = { limits: { tools: { look: { maxCalls: 2 } } } };
const TOLD: BreakerOptions = { tellLimits: true, maxModelCalls: 6 };
const FOUR_LOOKS = [1, 2, 3, 4].map(look);

/** Limits of single tools, and what a team is told of its limits. */
export const LIMIT_RULES: readonly RuleDraft[] = [
  rule(
    'ADP99',
    'refuses a call of a tool beyond its own limit alone, with the reason as its result, and goes on',
    ['model', 'tool'],
    async (harness) => {
      const scene = doing(harness, TWO_LOOKS, [look(1), look(2), look(3), FIND, SAYS]);
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'seen');
      equal(begun(scene, 'tool bot look'), 2, 'how often the limited tool was called');
      equal(begun(scene, 'tool bot find'), 1, 'how often the other tool was called');
      const told = scene.stage.prompts.map((texts) => texts.join('\n').includes(REFUSED));
      equal(told.indexOf(true), 3, 'the first prompt with the refusal');
      const codes = scene.ofKind('tool-call').map(({ error }) => error?.code);
      equal(codes[2], 'TEAMFUSE_REFUSED', 'the code of the third call');
      equal(scene.guard.trip, undefined, 'guard.trip');
    },
  ),
  rule(
    'ADP100',
    'makes all calls of a tool that is called as often as it may be',
    ['model', 'tool'],
    async (harness) => {
      const scene = doing(harness, TWO_LOOKS, [look(1), look(2), FIND, SAYS]);
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'seen');
      equal(begun(scene, 'tool bot look'), 2, 'how often the limited tool was called');
      equal(scene.breaker.counters.refusals, 0, 'how many calls were refused');
    },
  ),
  rule(
    'ADP101',
    'tells an agent before its next model call that half of its limit is left, once and as a notice alone',
    ['model', 'tool', 'nudge'],
    async (harness) => {
      const scene = doing(harness, TOLD, [...FOUR_LOOKS, SAYS]);
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'seen');
      const told = scene.stage.prompts.map((texts) => texts.join('\n').match(/\d of 6 .* left/g));
      const half = ['3 of 6 model calls are left'];
      equal(told, [null, null, null, half, null], 'what each prompt says of the limit');
      const signals = scene.signals.filter((signal) => JSON.stringify(signal).includes(' of 6 '));
      equal(
        signals.map(({ kind, agent }) => `${kind} ${agent}`),
        ['notice teamfuse'],
        'the signals that say so',
      );
    },
  ),
  rule(
    'ADP102',
    'changes no prompt of a run that stays far from its limits',
    ['model', 'tool'],
    async (harness) => {
      const prompts = async (breaker: BreakerOptions): Promise<unknown> => {
        const scene = doing(harness, breaker, [look(1), SAYS]);
        expectEnded(await scene.run());
        return scene.stage.prompts;
      };
      equal(await prompts(TOLD), await prompts({ maxModelCalls: 6 }), 'the prompts');
    },
  ),
];
