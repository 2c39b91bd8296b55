import {
  and,
  builtInComponents,
  ComponentRegistry,
  MaxMessageTermination,
  or,
  TerminationCondition,
} from '@teamfuse/agentchat';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { text } from '../said.ts';

/** An expression whose leaves are limits on the number of messages. */
type Tree = number | readonly ['or' | 'and', Tree, Tree];

const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: 1, max: 12 }),
    fc.tuple(fc.constantFrom('or' as const, 'and' as const), tie('tree'), tie('tree')),
  ),
})).tree;
const deltas = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 });

function condition(part: Tree): TerminationCondition {
  if (typeof part === 'number') return new MaxMessageTermination(part);
  const [operator, left, right] = part;
  return operator === 'or'
    ? or(condition(left), condition(right))
    : and(condition(left), condition(right));
}

/** How many messages it takes: the least of an or, the most of an and. */
function limit(part: Tree): number {
  if (typeof part === 'number') return part;
  const [operator, left, right] = part;
  return Math[operator === 'or' ? 'min' : 'max'](limit(left), limit(right));
}

it('[TERM3] [TERM5] a composition stops with the delta that meets it, also after a reset', async () => {
  await fc.assert(
    fc.asyncProperty(tree, deltas, deltas, async (part, before, after) => {
      const composed = condition(part);
      for (const sizes of [before, after]) {
        let count = 0;
        for (const size of sizes) {
          count += size;
          const stop = await composed.call(Array.from({ length: size }, () => text('x')));
          expect(stop !== null).toBe(count >= limit(part));
          expect(composed.terminated).toBe(stop !== null);
          if (stop !== null) break;
        }
        await composed.reset();
        expect(composed.terminated).toBe(false);
      }
    }),
  );
});

it('[COMP2] a composition that was dumped and loaded stops in the same place with the same words', async () => {
  const registry = new ComponentRegistry(builtInComponents);
  await fc.assert(
    fc.asyncProperty(tree, deltas, async (part, sizes) => {
      const original = condition(part);
      const dump = JSON.parse(JSON.stringify(original.dumpComponent()));
      const loaded = registry.load(dump, TerminationCondition);
      for (const size of sizes) {
        const messages = Array.from({ length: size }, () => text('x'));
        const [one, other] = [await original.call(messages), await loaded.call(messages)];
        expect(other?.content).toBe(one?.content);
        if (one !== null) break;
      }
    }),
  );
});
