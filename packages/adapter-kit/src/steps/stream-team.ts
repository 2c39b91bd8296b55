import type { Trip } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { passOn, type StreamWork } from '../context/passed-stream.ts';
import type { StreamWithResult } from '../context/stream-with-result.ts';
import { nestedRun } from './nested-run.ts';
import { type StepKind, streamWork } from './step.ts';
import { type TeamInfo, TeamRun } from './team-run.ts';

/** A team at work on a task, which streams what happens and ends with a result. */
export interface TeamStream<T, L> extends TeamInfo<L> {
  readonly open: () => StreamWithResult<T, void>;
  /** Whether an item is the result: with it the work ends, before its reader has it. */
  readonly isLast: (item: T) => boolean;
  /** Receives each item, at the place of the work. */
  readonly onItem?: (item: T) => void;
  /** Makes the result of an outermost run that was stopped with `error`. */
  readonly stopped: (trip: Trip, error: unknown) => MaybePromise<T>;
  /** The text that nested work has come back with so far. @defaultValue none */
  readonly summary?: () => string | undefined;
}

/**
 * Runs a team that streams. In an outermost run a refusal adds the result of an orderly stop; nested work must be admitted, and
 * passes refusals on. It also ends when its reader leaves.
 *
 * @throws TrippedError when nested work is refused, or stopped inside.
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export function streamTeam<T, L>(
  context: GuardContext<L>,
  team: TeamStream<T, L>,
): AsyncGenerator<T, void> {
  const { name, task, open, isLast, onItem, summary, local } = team;
  const nested = (agent: string): StepKind<void, L, T> =>
    nestedRun({ name, agent, text: task, local, onItem, said: () => summary?.() });
  return passOn(context, () => {
    if (!context.isActive) return { open };
    const around = context.scope;
    if (around === undefined) return outermost(context, team);
    return streamWork(context, nested(around.agent ?? name), open, { isLast });
  });
}

async function outermost<T, L>(
  context: GuardContext<L>,
  team: TeamStream<T, L>,
): Promise<StreamWork<T, void, L>> {
  const { task, open, isLast, onItem } = team;
  const run = await TeamRun.begin(context, team);
  let isLeft = true;
  return {
    open: () => {
      if (task !== undefined) context.reportTask(task);
      return open();
    },
    scope: run.scope,
    onItem,
    afterItem: (item) => {
      if (!isLast(item)) return;
      isLeft = false;
      run.end();
    },
    onEnd: async (outcome) => {
      isLeft &&= outcome === undefined;
      try {
        if (outcome === undefined || !('error' in outcome)) return undefined;
        const { error } = outcome;
        const trip = run.failed(error);
        return trip && { item: await team.stopped(trip, error) };
      } finally {
        await run.close({ isLeft });
      }
    },
  };
}
