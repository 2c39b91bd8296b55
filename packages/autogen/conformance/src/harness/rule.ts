import type { Difference } from './difference.ts';

/** A named reason for which results may differ from the recorded ones. */
export interface Rule<Vector> {
  readonly name: string;
  /**
   * `deviation`: the behaviour differs on purpose. `equivalent`: the behaviour is the same, and the
   * description of the vectors says that it may be written differently.
   */
  readonly kind: 'deviation' | 'equivalent';
  /** Whether the rule explains a difference; `all` are those that no earlier rule explains. */
  readonly explains: (
    difference: Difference,
    context: { readonly id: string; readonly vector: Vector; readonly all: readonly Difference[] },
  ) => boolean;
}

/** The rules that explain all differences of a case together; `null` if they leave one unexplained. */
export function explainingRules<Vector>(
  rules: readonly Rule<Vector>[],
  id: string,
  vector: Vector,
  found: readonly Difference[],
): readonly Rule<Vector>[] | null {
  const used: Rule<Vector>[] = [];
  let all = found;
  for (const rule of rules) {
    const rest = all.filter((difference) => !rule.explains(difference, { id, vector, all }));
    if (rest.length < all.length) used.push(rule);
    all = rest;
  }
  return all.length === 0 ? used : null;
}
