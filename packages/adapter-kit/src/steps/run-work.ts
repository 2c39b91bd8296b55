import { TrippedError } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import type { Guard } from '../install/install-guard.ts';
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

/** Work of several agents. */
export interface WorkInfo {
  /** @defaultValue 'run' */
  readonly name?: string;
  /** The task, which is reported. */
  readonly task?: string;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
}

/** A guard on agents. */
export interface AgentGuard extends Guard {
  /**
   * Runs work that calls several agents as one run, such as a writer and a critic in turns.
   *
   * @throws TrippedError when an agent is refused inside.
   */
  run<T>(work: () => Promise<T>, about?: WorkInfo): Promise<T>;
}

/** A guard that can run work of several agents. */
export function agentGuard<L>(context: GuardContext<L>, guard: Guard): AgentGuard {
  const run: AgentGuard['run'] = (work, { name = 'run', ...rest } = {}) =>
    runWork(context, { name, ...rest, work });
  return Object.defineProperties({ run }, Object.getOwnPropertyDescriptors(guard)) as AgentGuard;
}
