import type { StopPolicy } from '../scores/watcher.ts';
import { table } from './table.ts';

/** What a policy made of each case. */
export interface PolicyResults<R> {
  readonly policy: StopPolicy;
  readonly results: readonly R[];
}

/** What each of some policies makes of all cases. */
export function resultsOf<C, R>(
  policies: readonly StopPolicy[],
  cases: readonly C[],
  run: (one: C, policy: StopPolicy) => Promise<R>,
): Promise<PolicyResults<R>[]> {
  return Promise.all(
    policies.map(async (policy) => ({
      policy,
      results: await Promise.all(cases.map((one) => run(one, policy))),
    })),
  );
}

/** The cases that another policy is right about and ours is not, as a table. */
export function otherWins<R extends { readonly id: string; readonly outcome: string }>(
  ours: readonly R[],
  others: readonly PolicyResults<R>[],
  isRight: (result: R) => boolean,
): string {
  const rows = ours
    .filter((own) => !isRight(own))
    .map(({ id, outcome }) => {
      const winners = others.filter(({ results }) =>
        results.some((result) => result.id === id && isRight(result)),
      );
      return [id, outcome, winners.map(({ policy }) => policy.name).join(', ')];
    })
    .filter(([, , winners]) => winners !== '');
  if (rows.length === 0) return 'no other policy is right where ours is not';
  return table([['where another policy wins', 'ours', 'right'], ...rows]);
}
