import type { RunEnd, Trip } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import type { Run, Scope } from '../context/scope.ts';
import { tripIn } from '../context/trip-in.ts';
import { runNested } from './run-nested.ts';

/** A team, or an agent by itself, at work on a task. */
export interface TeamWork<T, L> {
  readonly name: string;
  /** The task, if it is a text. */
  readonly task?: string | undefined;
  /** The caller's signal: an error after it has aborted is the caller's doing, and reaches the caller. */
  readonly signal?: AbortSignal | undefined;
  /** The part of the place inside that belongs to the adapter. */
  readonly local?: L;
  readonly work: () => Promise<T>;
  /** The result of an outermost run that was stopped. */
  readonly stopped: (trip: Trip) => T;
  /** The text that nested work came back with. @defaultValue none */
  readonly summary?: (value: T) => string | undefined;
}

/**
 * Runs a team: the outermost run, of which a refusal is turned into the result of an orderly stop, or nested work inside
 * one, which has to be admitted and passes refusals on.
 *
 * @throws TrippedError when nested work is refused, or stopped inside.
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export async function runTeam<T, L>(context: GuardContext<L>, team: TeamWork<T, L>): Promise<T> {
  const { work, local, name } = team;
  if (!context.isActive) return work();
  const around = context.scope;
  if (around !== undefined) {
    return runNested(context, { ...team, agent: around.agent ?? name, text: team.task });
  }
  const record = await context.beginRecord();
  const run = context.openRun();
  let failure: Pick<RunEnd, 'error'> = {};
  const scope: Scope<L> = { run, depth: 0, path: [name], ...(local !== undefined && { local }) };
  try {
    return await context.within(scope, () => {
      if (team.task !== undefined) context.reportTask(team.task);
      return work();
    });
  } catch (error) {
    failure = { error };
    const trip = stopOf(run, error, team.signal);
    if (trip === undefined) throw error;
    return team.stopped(trip);
  } finally {
    context.closeRun(run);
    await record({ ...failure, trip: run.trip, isGivenUp: team.signal?.aborted === true });
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
