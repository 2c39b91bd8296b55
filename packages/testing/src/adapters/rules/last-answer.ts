import { Breaker, type BreakerOptions, type Trip } from '@teamfuse/core';
import { alarmOn, says } from '../alarm.ts';
import { ensure, equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { type Ending, expectEnded, expectKept, Scene } from '../scene.ts';
import type { ModelScript } from '../script.ts';

const LOOK: ModelScript = { calls: [{ tool: 'look', args: { at: 'sky' }, result: 'blue' }] };
const WORDS = 'These are your last words.';
const LAST = 'it was blue';
const MAX_TOKENS = 50;
const MAX_CALLS = 20;

/** How a team comes to be stopped. */
interface Stop {
  readonly breaker: BreakerOptions;
  /** What its agent answers, call by call. */
  readonly by: (call: number) => ModelScript;
  readonly basis: Trip['basis'];
}

const LOOP: Stop = { breaker: {}, by: () => LOOK, basis: 'certain' };

const STORM: Stop = {
  breaker: {},
  by: (call) => ({
    calls: [{ tool: 'look', args: { at: `shelf ${call}` }, error: 'connect ECONNREFUSED' }],
  }),
  basis: 'certain',
};

const other = (call: number): ModelScript => ({
  calls: [{ tool: 'look', args: { at: `place ${call}` }, result: `view ${call}` }],
});

const LIMIT: Stop = { breaker: { maxModelCalls: 3 }, by: other, basis: 'declared' };

const BUDGET: Stop = {
  breaker: { budget: { maxTokens: 10_000, reserveTokens: 5_000 } },
  by: (call) => ({ ...other(call), usage: { inputTokens: 2_000, outputTokens: 10 } }),
  basis: 'declared',
};

/** A team of one agent that goes on until it is told its last words, and then says `last`. */
function stopped(
  harness: AdapterHarness,
  { breaker, by }: Stop,
  last: ModelScript = { says: LAST },
): Scene {
  const script = team([assistant('bot', [LOOK, { says: 'never' }])], 2);
  const scene = new Scene(harness, script, {
    breaker: new Breaker({ wrapUp: { maxTokens: MAX_TOKENS }, ...breaker }),
    guard: { nudge: (_, cause) => (cause === 'stopped' ? WORDS : 'Careful.') },
  });
  let calls = 0;
  scene.stage.answer('bot', (prompt) => {
    if (prompt.join('\n').includes(WORDS)) return last;
    return ++calls > MAX_CALLS ? { says: 'never' } : by(calls);
  });
  return scene;
}

/** Fails unless the latest model call of all, and no other, was a last answer. */
function expectLastAnswer({ stage }: Scene): void {
  const terms = stage.prompts.map((prompt, at) => ({ prompt, ...stage.terms[at] }));
  const last = terms.filter(({ prompt }) => prompt.join('\n').includes(WORDS));
  const asked = last.map(({ tools, maxTokens }) => [tools, maxTokens]);
  equal(asked, [[0, MAX_TOKENS]], 'the tools and the bound of each last answer');
  ensure(terms.at(-1) === last[0], 'the model was asked again after its last answer');
}

async function playStop(harness: AdapterHarness, stop: Stop): Promise<[Scene, Ending]> {
  const scene = stopped(harness, stop);
  let trips = 0;
  scene.breaker.on('trip', () => trips++);
  const end = await scene.run();
  expectEnded(end);
  const { trip } = scene.guard;
  equal([trip?.basis, trip?.hasLastAnswer], [stop.basis, true], 'guard.trip');
  equal(trips, 1, 'how often the trip was reported');
  if (end.stopReason !== undefined) equal(end.stopReason, trip?.reason, 'the stop reason');
  expectLastAnswer(scene);
  expectKept(end, LAST);
  return [scene, end];
}

const NEEDS = ['model', 'tool', 'last-answer'] as const;

/** With `wrapUp` a team that was stopped writes up what is there. */
export const LAST_ANSWER_RULES: readonly RuleDraft[] = [
  rule(
    'ADP103',
    'asks for one last answer after a loop, without tools and within its bound, and stays stopped',
    NEEDS,
    async (harness) => {
      const [scene] = await playStop(harness, LOOP);
      const begun = scene.stage.journal.length;
      await scene.run();
      equal(scene.stage.journal.length, begun, 'how much had begun after the next run');
    },
  ),
  rule('ADP104', 'asks for one after a storm', [...NEEDS, 'tool-error'], async (harness) => {
    await playStop(harness, STORM);
  }),
  rule('ADP105', 'asks for one after a limit', NEEDS, async (harness) => {
    await playStop(harness, LIMIT);
  }),
  rule('ADP106', 'asks for one after a budget, from its reserve', NEEDS, async (harness) => {
    await playStop(harness, BUDGET);
  }),
  rule(
    'ADP107',
    'ends as before where the reserve does not suffice, or a person stops the team',
    NEEDS,
    async (harness) => {
      const poor = stopped(harness, { ...BUDGET, breaker: { budget: { maxTokens: 6_040 } } });
      const byHand = stopped(harness, { ...LIMIT, breaker: {} });
      byHand.stage.on('tool bot look', () => byHand.breaker.stop('enough'));
      for (const scene of [poor, byHand]) {
        await scene.run();
        ensure(scene.guard.trip !== undefined, 'the team was not stopped');
        equal(scene.guard.trip?.hasLastAnswer, undefined, 'the last answer of guard.trip');
        const asked = scene.stage.prompts.filter((prompt) => prompt.join('\n').includes(WORDS));
        equal(asked, [], 'the last answers');
      }
    },
  ),
  rule('ADP108', 'runs no tool that a last answer asks for', NEEDS, async (harness) => {
    const scene = stopped(harness, LIMIT, LOOK);
    await scene.run();
    expectLastAnswer(scene);
    equal(scene.stage.journal.at(-1), 'model bot', 'what began last');
  }),
  rule('ADP109', 'asks a team for none that is not stopped', NEEDS, async (harness) => {
    const scene = stopped(harness, {
      ...LOOP,
      by: (call) => (call > 4 ? { says: `seen ${call}` } : other(call)),
    });
    const end = await scene.run();
    expectEnded(end);
    expectKept(end, 'seen 5', 'seen 6');
    equal(scene.guard.trip, undefined, 'guard.trip');
    equal(scene.stage.prompts.length, 6, 'how often the model was asked');
  }),
  rule(
    'ADP110',
    'asks the next agent for one where a team is stopped between two turns',
    [...NEEDS, 'speaker'],
    async (harness) => {
      const script = team([speaker('ann', 'again'), assistant('bot', [{ says: 'never' }])], 4);
      const scene = new Scene(harness, script, {
        breaker: { wrapUp: { maxTokens: MAX_TOKENS }, detectors: [alarmOn(says('again'))] },
        guard: { nudge: () => WORDS },
      });
      scene.stage.answer('bot', () => ({ says: LAST }));
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'again', LAST);
      expectLastAnswer(scene);
      scene.expectBegun('speaker ann', 'model bot');
    },
  ),
];
