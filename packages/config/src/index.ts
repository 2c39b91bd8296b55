export {
  breakerFromPolicy,
  POLICY_BREAKER_NAMES,
  type PolicyBreakerOptions,
} from './breaker-from-policy.ts';
export { findPolicy, type LoadOptions, loadPolicy } from './load-policy.ts';
export { parsePolicy } from './parse-policy.ts';
export type { CodeOptions, Policy, PolicyOptions, ToolPolicy } from './policy.ts';
export { PolicyError, type PolicyProblem } from './policy-error.ts';
export { policyFor } from './policy-for.ts';
