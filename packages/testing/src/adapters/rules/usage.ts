import { estimateTokens } from '@teamfuse/core/detectors';
import { ensure, equal } from '../expect.ts';
import { assistant, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';

/** What a call took that its model does not say. */
export const USAGE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP111',
    'books a model call that reports no usage by its prompt, what it says and what it asks for, as an estimate',
    ['model', 'tool'],
    async (harness) => {
      const usage = { inputTokens: 0, outputTokens: 0 };
      const args = { about: 'the tides of the North Sea at the turn of the year, hour by hour' };
      const asks = { calls: [{ tool: 'look', args, result: 'high' }], usage };
      const says = 'The water comes and goes twice a day, as the moon draws it along.';
      const scene = new Scene(harness, team([assistant('bot', [asks, { says, usage }])]), {});
      expectEnded(await scene.run());
      const booked = scene.ofKind('usage');
      equal(
        booked.map(({ isEstimate }) => isEstimate),
        [true, true],
        'what is an estimate',
      );
      for (const [at, text] of [JSON.stringify(args), says].entries()) {
        const { outputTokens = 0 } = booked[at] ?? {};
        const least = Math.floor(estimateTokens(text) * 0.9);
        ensure(
          outputTokens >= least,
          `at least ${least} tokens of the answer, got ${outputTokens}`,
        );
        ensure(outputTokens <= 2 * least, `at most twice ${least} tokens, got ${outputTokens}`);
      }
    },
  ),
];
