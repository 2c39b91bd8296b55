import type { Trip } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { nestedRun } from './nested-run.ts';
import { call } from './step.ts';
import { type TeamInfo, TeamRun } from './team-run.ts';

/** A team, or an agent by itself, at work on a task. */
export interface TeamWork<T, L> extends TeamInfo<L> {
  readonly work: () => Promise<T>;
  /** Makes the result of an outermost run that was stopped with `error`. */
  readonly stopped: (trip: Trip, error: unknown) => MaybePromise<T>;
  /** The text that nested work came back with. @defaultValue none */
  readonly summary?: (value: T) => string | undefined;
}

/**
 * Runs a team. In an outermost run a refusal becomes the result of an orderly stop; nested work must be admitted, and passes
 * refusals on.
 *
 * @throws TrippedError when nested work is refused, or stopped inside.
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export async function runTeam<T, L>(context: GuardContext<L>, team: TeamWork<T, L>): Promise<T> {
  const { work, name, task } = team;
  if (!context.isActive) return work();
  const around = context.scope;
  if (around !== undefined) {
    const { local, summary } = team;
    const agent = around.agent ?? name;
    return call(context, nestedRun({ name, agent, text: task, local, summary }), work);
  }
  const run = await TeamRun.begin(context, team);
  try {
    return await context.within(run.scope, () => {
      if (task !== undefined) context.reportTask(task);
      return work();
    });
  } catch (error) {
    const trip = run.failed(error);
    if (trip === undefined) throw error;
    return await team.stopped(trip, error);
  } finally {
    await run.close();
  }
}
