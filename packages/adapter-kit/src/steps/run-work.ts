import { TrippedError } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { runTeam, type TeamWork } from './run-team.ts';

/**
 * Runs code that lets several agents work as one run, or as nested work if a run is under way.
 *
 * @throws TrippedError when a step inside is refused.
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export function runWork<T, L>(
  context: GuardContext<L>,
  work: Omit<TeamWork<T, L>, 'stopped'>,
): Promise<T> {
  const stopped = (trip: ConstructorParameters<typeof TrippedError>[0]): never => {
    throw new TrippedError(trip);
  };
  return runTeam(context, { ...work, stopped });
}
