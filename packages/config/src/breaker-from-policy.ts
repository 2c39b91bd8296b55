import { Breaker } from '@teamfuse/core';
import { checkNames, type OptionNames } from '@teamfuse/core/options';
import { CODE_OPTIONS } from './code-options.ts';
import { merge } from './merge.ts';
import type { CodeOptions, Policy } from './policy.ts';
import { policyFor } from './policy-for.ts';

/** Options of {@link breakerFromPolicy}. */
export interface PolicyBreakerOptions extends CodeOptions {
  /** The team whose section counts; without it, only the options of all teams do. */
  readonly team?: string | undefined;
}

/** The names of all options, for packages that add their own. */
export const POLICY_BREAKER_NAMES: OptionNames<PolicyBreakerOptions> = {
  team: true,
  ...CODE_OPTIONS,
};

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
  checkNames('', options, POLICY_BREAKER_NAMES);
  const { team, ...code } = options;
  if (code.budget !== undefined) checkNames('budget', code.budget, { store: true });
  return new Breaker(merge(policyFor(policy, team), code));
}
