import type { Termination } from '../base/termination.ts';
import { AndTerminationCondition, OrTerminationCondition } from '../base/termination-condition.ts';

/** `a | b | c`: stops as soon as one of the conditions does. Groups from the left, as the operator would. */
export function or(
  first: Termination,
  second: Termination,
  ...others: readonly Termination[]
): OrTerminationCondition {
  return others.reduce<OrTerminationCondition>(
    (left, right) => new OrTerminationCondition(left, right),
    new OrTerminationCondition(first, second),
  );
}

/** `a & b & c`: stops once all conditions have been met. Groups from the left, as the operator would. */
export function and(
  first: Termination,
  second: Termination,
  ...others: readonly Termination[]
): AndTerminationCondition {
  return others.reduce<AndTerminationCondition>(
    (left, right) => new AndTerminationCondition(left, right),
    new AndTerminationCondition(first, second),
  );
}
