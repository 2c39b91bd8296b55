import { TrippedError } from '@teamfuse/core';
import type { ForWhom } from '../context/for-whom.ts';
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
  run<T>(whom: ForWhom, work: () => T): T;
}

/** A guard that can run work of several agents. */
export function agentGuard<L>(context: GuardContext<L>, guard: Guard): AgentGuard {
  const asOne: AsOne = (work, { name = 'run', ...rest } = {}) =>
    runWork(context, { name, ...rest, work });
  return withRun(guard, eitherRun(guard, asOne));
}

type AsOne = <T>(work: () => Promise<T>, about?: WorkInfo) => Promise<T>;

/** The member `run` of a guard that runs work for somebody, and work as one run. */
export function eitherRun(guard: Guard, asOne: AsOne): AgentGuard['run'] {
  return (first: unknown, second?: unknown) =>
    typeof first === 'function'
      ? asOne(first as () => Promise<never>, second as WorkInfo)
      : guard.run(first as ForWhom, second as () => never);
}

/** A guard with another member `run`. */
function withRun(guard: Guard, run: AgentGuard['run']): AgentGuard {
  const members = Object.getOwnPropertyDescriptors(guard);
  return Object.defineProperties(
    {},
    { ...members, run: { value: run, enumerable: true } },
  ) as AgentGuard;
}
