import {
  type ChatItem,
  isTaskResult,
  type RunOptions,
  RuntimeError,
  type TaskResult,
  type TaskRunner,
} from '@teamfuse/agentchat';
import { tripIn } from '../guard/trip-in.ts';
import type { Watch } from '../guard/watch.ts';
import { type Conversation, type Runner, startConversation } from './conversation.ts';
import { taskItems } from './task-items.ts';

/** The members through which a team, or an agent by itself, is put to work. */
export type RunMembers = Pick<TaskRunner, 'run' | 'runStream'>;

/** Ways to put a team to work that tell what its stream shows, and end it in good order when a step is refused. */
export function teamRunTap(watch: Watch, team: Runner): RunMembers {
  const { runStream } = team;

  async function* watched(options: RunOptions): AsyncGenerator<ChatItem | TaskResult, void> {
    const seen: ChatItem[] = [];
    const conversation = await startConversation(watch, team, options);
    try {
      const stream = watch.stream(conversation.scope, () => runStream.call(team, options));
      for await (const item of stream) {
        conversation.hear(item);
        if (!isTaskResult(item)) seen.push(item);
        yield item;
      }
    } catch (error) {
      const reason = stopReason(error, conversation, options);
      if (reason === undefined) throw error;
      await resetCondition(watch, team);
      const messages = seen.length > 0 ? seen.filter(isWhole) : taskItems(options);
      yield { messages, stopReason: reason, refusal: error };
    } finally {
      conversation.end();
    }
  }

  return {
    async *runStream(options = {}) {
      yield* watch.isActive ? watched(options) : runStream.call(team, options);
    },
    async run(options = {}) {
      const stream = watch.isActive ? watched(options) : runStream.call(team, options);
      for await (const item of stream) if (isTaskResult(item)) return item;
      throw new RuntimeError('The run ended without a result.');
    },
  };
}

/** Ways to put an agent to work by itself, as tools do, that ask and tell as for a nested chat. */
export function agentRunTap(watch: Watch, agent: Runner): RunMembers {
  const { run, runStream } = agent;
  const isWatched = (): boolean => {
    const { scope } = watch;
    const isOwn = scope?.runner === agent && scope.turn === undefined;
    return watch.isActive && scope !== undefined && !isOwn;
  };

  return {
    async run(options = {}) {
      if (!isWatched()) return run.call(agent, options);
      const conversation = await startConversation(watch, agent, options);
      try {
        const result = await watch.within(conversation.scope, () => run.call(agent, options));
        conversation.hear(result);
        return result;
      } finally {
        conversation.end();
      }
    },
    async *runStream(options = {}) {
      if (!isWatched()) return yield* runStream.call(agent, options);
      const conversation = await startConversation(watch, agent, options);
      try {
        const stream = watch.stream(conversation.scope, () => runStream.call(agent, options));
        for await (const item of stream) {
          conversation.hear(item);
          yield item;
        }
      } finally {
        conversation.end();
      }
    },
  };
}

/** Why the run was ended, for a framework that takes a refusal for a failure. */
function stopReason(
  error: unknown,
  { scope: { run } }: Conversation,
  { signal }: RunOptions,
): string | undefined {
  if (signal?.aborted === true) return undefined;
  return (tripIn(error) ?? (run.isRefused ? run.trip : undefined))?.reason;
}

/** An orderly stop resets the team's condition; frameworks do not do so after a failure. */
async function resetCondition(watch: Watch, team: object): Promise<void> {
  const { terminationCondition } = team as { terminationCondition?: { reset?(): unknown } | null };
  try {
    await terminationCondition?.reset?.();
  } catch (error) {
    watch.observer.report('observe', error);
  }
}

function isWhole({ type }: ChatItem): boolean {
  return type !== 'ModelClientStreamingChunkEvent';
}
