import type { Trip } from '@teamfuse/core';
import type { GuardContext } from './guard-context.ts';
import type { Run, Scope } from './scope.ts';
import { tripIn } from './trip-in.ts';

/** An outermost run of a team. */
export interface TeamRun<T, L> {
  /** The name of the team. */
  readonly name: string;
  /** The part of the place that belongs to the adapter. */
  readonly local?: L;
  /** The caller's signal: an error after it has aborted is the caller's doing, and reaches the caller. */
  readonly signal?: AbortSignal | undefined;
  /** The task, if it is a text. */
  readonly task?: string | undefined;
  readonly work: () => Promise<T>;
  /** The result of a run that was stopped. */
  readonly stopped: (trip: Trip) => T;
}

/** Runs the outermost work of a team, and turns a refusal inside into the result of an orderly stop. */
export async function runTeam<T, L>(
  context: GuardContext<L>,
  { name, local, signal, task, work, stopped }: TeamRun<T, L>,
): Promise<T> {
  const run = context.openRun();
  const scope: Scope<L> = { run, depth: 0, path: [name], ...(local !== undefined && { local }) };
  try {
    return await context.within(scope, () => {
      if (task !== undefined) context.reportTask(task);
      return work();
    });
  } catch (error) {
    const trip = stopOf(run, error, signal);
    if (trip === undefined) throw error;
    return stopped(trip);
  } finally {
    context.closeRun(run);
  }
}

/**
 * The trip that ended a run with an error; `undefined` if the run failed, or the caller cancelled it.
 *
 * A framework may turn a refusal into an error of its own: a run in which a step was refused ended by that.
 */
export function stopOf(
  run: Run,
  error: unknown,
  signal: AbortSignal | undefined,
): Trip | undefined {
  if (signal?.aborted === true) return undefined;
  return tripIn(error) ?? (run.isRefused ? run.trip : undefined);
}
