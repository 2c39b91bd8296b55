import { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { ensure, equal } from '../expect.ts';
import { assistant, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';
import type { TeamScript } from '../script.ts';
import { Stage } from '../stage.ts';
import { expectRefused, expectUntouched, stateOf } from './install.ts';

const REASON = 'It comes round.';
const TURNS = 12;
/** More than turns: a judge asks the same model. */
const REPLIES = 3 * TURNS;
/** Enough for the share of it that a judge may cost. */
const USAGE = { inputTokens: 1000, outputTokens: 10 };
const TOKENS = 1010;

const PAIRS = [
  ['this', 'that'],
  ['here', 'there'],
  ['now', 'then'],
  ['in', 'out'],
  ['up', 'down'],
  ['to', 'fro'],
] as const;

/** A bot that says hardly anything new in any turn, and the same in no two. Each line would also be a judge's answer. */
function talking(probability: number): TeamScript {
  const answer = JSON.stringify({ reason: REASON, probability });
  const turns = Array.from({ length: REPLIES }, (_, at) => [
    { says: `${ramble(at)} ${answer}`, usage: USAGE },
  ]);
  return team([assistant('bot', ...turns)], TURNS);
}

/** The same words in another order for each number below 64. */
function ramble(at: number): string {
  const inOrder = PAIRS.map(([a, b], bit) => ((at >> bit) % 2 ? `${b} and ${a}` : `${a} and ${b}`));
  return inOrder.join(', ');
}

/** How often the model of the bot was asked. */
function asked({ stage }: Scene): number {
  return stage.journal.filter((entry) => entry === 'model bot').length;
}

/** A judge may ask the model of the team. */
export const JUDGE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP77',
    'lets a judge ask the model of the team with judge: true, which is no step of the team',
    ['model'],
    async (harness) => {
      const scene = new Scene(harness, talking(1), { guard: { judge: true } });
      const sure = `the judge is 100% sure that the team is going in circles: '${REASON}'`;
      scene.expectStopped(await scene.run(), sure);
      const { questions, cost } = scene.breaker.judged;
      ensure(questions > 0, 'the judge was not asked');
      const calls = asked(scene) - questions;
      equal(scene.ofKind('model-request').length, calls, 'the model calls that were asked for');
      equal(scene.ofKind('usage').length, calls, 'the model calls that were reported');
      equal(scene.breaker.cost.tokens, TOKENS * (calls + questions), 'the tokens that were spent');
      equal(cost.tokens, TOKENS * questions, "the judge's part of them");
    },
  ),
  rule(
    'ADP78',
    'refuses judge: true for a team without a model, and takes its judge along when it is uninstalled',
    ['speaker', 'model', 'modelless'],
    async (harness) => {
      const silent = team([speaker('ann', 'one')]);
      const without = harness.build(silent, new Stage(silent));
      const before = stateOf(without);
      expectRefused(() => without.guard(new Breaker(), { judge: true }), 'judge: true');
      expectUntouched(before, stateOf(without));
      without.guard(new Breaker(), { judge: false }).uninstall();
      const scene = new Scene(harness, talking(1), { guard: { judge: true } });
      scene.guard.uninstall();
      expectEnded(await scene.run());
      equal(asked(scene), TURNS, 'the calls of the model');
      ensure(
        internalsOf(scene.breaker).judges.current === undefined,
        'the breaker has kept the judge',
      );
    },
  ),
  rule(
    'ADP79',
    'hides what a judge asks from every guard of the team',
    ['model'],
    async (harness) => {
      const scene = new Scene(harness, talking(0), { guard: { judge: true } });
      const other = new Breaker();
      let calls = 0;
      other.on('signal', ({ signal }) => {
        if (signal.kind === 'model-request') calls++;
      });
      scene.team.guard(other, { judge: true });
      expectEnded(await scene.run());
      const questions = scene.breaker.judged.questions + other.judged.questions;
      ensure(other.judged.questions > 0, 'the judge of the other breaker was not asked');
      equal(asked(scene) - questions, TURNS, 'the calls of the model but for the questions');
      equal([calls, scene.ofKind('model-request').length], [TURNS, TURNS], 'the calls reported');
    },
  ),
];
