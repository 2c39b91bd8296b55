import { stopOf } from '@teamfuse/adapter-kit';
import {
  type ChatItem,
  isTaskResult,
  type RunOptions,
  RuntimeError,
  type TaskResult,
  type TaskRunner,
} from '@teamfuse/agentchat';
import type { RunEnd } from '@teamfuse/core';
import type { TeamContext } from '../guard/team-context.ts';
import type { Runner } from './shapes.ts';
import { taskItems } from './task-items.ts';
import { beginWork } from './team-work.ts';

/** The members through which a team, or an agent by itself, runs. */
export type RunMembers = Pick<TaskRunner, 'run' | 'runStream'>;

/** Wraps run and runStream of a team: reports items, and turns a refusal into a normal result. */
export function teamRunTap(context: TeamContext, team: Runner): RunMembers {
  const { runStream } = team;

  async function* watched(options: RunOptions): AsyncGenerator<ChatItem | TaskResult, void> {
    const seen: ChatItem[] = [];
    const work = await beginWork(context, team, options);
    let failure: Pick<RunEnd, 'error'> = {};
    try {
      const stream = context.stream(work.scope, () => runStream.call(team, options));
      for await (const item of stream) {
        work.hear(item);
        if (!isTaskResult(item)) seen.push(item);
        yield item;
      }
    } catch (error) {
      failure = { error };
      const reason = stopOf(work.scope.run, error, options.signal)?.reason;
      if (reason === undefined) throw error;
      await resetCondition(context, team);
      const messages = seen.length > 0 ? seen.filter(isWhole) : taskItems(options);
      yield { messages, stopReason: reason, refusal: error };
    } finally {
      work.end();
      await work.record(failure);
    }
  }

  return {
    async *runStream(options = {}) {
      yield* context.isActive ? watched(options) : runStream.call(team, options);
    },
    async run(options = {}) {
      const stream = context.isActive ? watched(options) : runStream.call(team, options);
      for await (const item of stream) if (isTaskResult(item)) return item;
      throw new RuntimeError('The run ended without a result.');
    },
  };
}

/** Wraps run and runStream of an agent that tools run by itself: a nested chat. */
export function agentRunTap(context: TeamContext, agent: Runner): RunMembers {
  const { run, runStream } = agent;
  const isWatched = (): boolean => {
    const { scope } = context;
    const isOwn = scope?.local?.runner === agent && scope.local.turn === undefined;
    return context.isActive && scope !== undefined && !isOwn;
  };

  return {
    async run(options = {}) {
      if (!isWatched()) return run.call(agent, options);
      const work = await beginWork(context, agent, options);
      try {
        const result = await context.within(work.scope, () => run.call(agent, options));
        work.hear(result);
        return result;
      } finally {
        work.end();
      }
    },
    async *runStream(options = {}) {
      if (!isWatched()) return yield* runStream.call(agent, options);
      const work = await beginWork(context, agent, options);
      try {
        const stream = context.stream(work.scope, () => runStream.call(agent, options));
        for await (const item of stream) {
          work.hear(item);
          yield item;
        }
      } finally {
        work.end();
      }
    },
  };
}

/** An orderly stop resets the team's condition; frameworks do not do so after a failure. */
async function resetCondition(context: TeamContext, team: object): Promise<void> {
  const { terminationCondition } = team as { terminationCondition?: { reset?(): unknown } | null };
  try {
    await terminationCondition?.reset?.();
  } catch (error) {
    context.report('observe', error);
  }
}

function isWhole({ type }: ChatItem): boolean {
  return type !== 'ModelClientStreamingChunkEvent';
}
