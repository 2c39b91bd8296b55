import type { Rule } from '../harness/rule.ts';
import type { Deviation } from './deviations.ts';
import type { AnyCase } from './vector.ts';

/** A deviation as a rule: it explains differences in the cases that carry its tag. */
export function deviationRule({ tag, where, untagged = [] }: Deviation): Rule<AnyCase> {
  return {
    name: tag,
    kind: 'deviation',
    explains: ({ path }, { id, vector: { tags = [] } }) =>
      (tags.includes(tag) || untagged.includes(id)) && (where?.test(path) ?? true),
  };
}
