import { Breaker, checkNames, type OptionNames } from '@teamfuse/core';
import { merge } from './merge.ts';
import type { CodeOptions, Policy } from './policy.ts';
import { policyFor } from './policy-for.ts';

/** Options of {@link breakerFromPolicy}. */
export interface PolicyBreakerOptions extends CodeOptions {
  /** The team whose section counts; without it, only the options of all teams do. */
  readonly team?: string | undefined;
}

const NAMES: OptionNames<PolicyBreakerOptions> = {
  team: true,
  judge: true,
  detectors: true,
  now: true,
  timers: true,
  redact: true,
  budget: true,
  analysis: true,
};
const BUDGET_NAMES: OptionNames<NonNullable<CodeOptions['budget']>> = { store: true };

/**
 * A breaker with the options of a policy, and those that no file can hold.
 *
 * @throws {@link PolicyError} if the policy has no section of the team.
 * @throws {@link InvalidOptionError} if it is no policy, or an option from code is wrong or belongs into the file.
 * @example
 * ```ts
 * const policy = parsePolicy('[teams.research]\nmaxMessages = 1', 'teamfuse.toml');
 * const breaker = breakerFromPolicy(policy, { team: 'research', now: () => 0 });
 * breaker.observe({ kind: 'message', at: 0, agent: 'writer', text: 'A draft.' })?.kind; // => 'limit'
 * ```
 */
export function breakerFromPolicy(policy: Policy, options: PolicyBreakerOptions = {}): Breaker {
  checkNames('', options, NAMES);
  const { team, ...code } = options;
  if (code.budget !== undefined) checkNames('budget', code.budget, BUDGET_NAMES);
  return new Breaker(merge(policyFor(policy, team), code));
}
