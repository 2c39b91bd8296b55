import { equal } from '../expect.ts';
import { assistant, lookAndSay, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';
import type { TeamScript } from '../script.ts';

/** Two assistants that hold the same model and the same tools. */
function sharing(): TeamScript {
  const bob = { ...assistant('bob', lookAndSay('Still blue.')), sharedWith: 'ann' };
  return team([assistant('ann', lookAndSay('It is blue.')), bob]);
}

/** What agents share is reported by the one that uses it. */
export const SHARING_RULES: readonly RuleDraft[] = [
  rule(
    'ADP73',
    'reports each call of a model that agents share once, by the agent that makes it',
    ['model', 'tool', 'sharing'],
    async (harness) => {
      const scene = new Scene(harness, sharing());
      expectEnded(await scene.run());
      const callers = scene.ofKind('usage').map(({ agent }) => agent);
      equal(callers, ['ann', 'ann', 'bob', 'bob'], 'the agents of the model calls');
    },
  ),
  rule(
    'ADP74',
    'reports each call of a tool that agents share once, by the agent that makes it',
    ['model', 'tool', 'sharing'],
    async (harness) => {
      const scene = new Scene(harness, sharing());
      expectEnded(await scene.run());
      const callers = scene.ofKind('tool-call').map(({ agent }) => agent);
      equal(callers, ['ann', 'bob'], 'the agents of the tool calls');
    },
  ),
];
