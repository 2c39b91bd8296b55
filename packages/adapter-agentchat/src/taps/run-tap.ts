import { call, nestedRun, type Scope, stream, streamTeam, turn } from '@teamfuse/adapter-kit';
import {
  type ChatItem,
  isTaskResult,
  type RunOptions,
  RuntimeError,
  type TaskResult,
  type TaskRunner,
} from '@teamfuse/agentchat';
import type { Place } from '../guard/place.ts';
import type { TeamContext } from '../guard/team-context.ts';
import { isSaid } from '../signals/item-kinds.ts';
import { lastTextOf, shownTask } from '../signals/task.ts';
import type { Runner } from './shapes.ts';

/** The members through which a team, or an agent by itself, runs. */
export type RunMembers = Pick<TaskRunner, 'run' | 'runStream'>;

type Item = ChatItem | TaskResult;

/** The answer of a turn in the self-test. */
const REHEARSED: TaskResult = { messages: [], stopReason: null };

/** Wraps run and runStream of a team: reports items, and turns a refusal into a normal result. */
export function teamRunTap(context: TeamContext, team: Runner): RunMembers {
  const { runStream } = team;
  const watched = (options: RunOptions = {}): AsyncGenerator<Item, void> =>
    work(context, team, options, () => runStream.call(team, options));
  return {
    runStream: watched,
    async run(options) {
      for await (const item of watched(options)) if (isTaskResult(item)) return item;
      throw new RuntimeError('The run ended without a result.');
    },
  };
}

/** Wraps run and runStream of an agent that tools run by itself: a nested chat. */
export function agentRunTap(context: TeamContext, agent: Runner): RunMembers {
  const { name, run, runStream } = agent;
  /** Where a run is nested. Nowhere if `run` is built on `runStream`, or the other way round: that is one run. */
  const around = (): Scope<Place> | undefined => {
    const { scope, turn } = context;
    return scope?.local?.runner === agent && turn === undefined ? undefined : scope;
  };
  return {
    async run(options = {}) {
      const scope = around();
      if (scope === undefined) return run.call(agent, options);
      const nested = nestedRun<TaskResult, Place>({
        name,
        agent: scope.agent ?? name,
        text: lastTextOf(options.task),
        local: { runner: agent },
      });
      return call(context, nested, () => run.call(agent, options));
    },
    runStream(options = {}) {
      const open = (): AsyncGenerator<Item, void> => runStream.call(agent, options);
      return around() === undefined ? open() : work(context, agent, options, open);
    },
  };
}

/** Watches a stream: of an outermost run, or of a nested chat. One that is a member of a team takes a turn with it. */
function work(
  context: TeamContext,
  runner: Runner,
  options: RunOptions,
  runStream: () => AsyncIterable<Item, void>,
): AsyncGenerator<Item, void> {
  const { name } = runner;
  const isOutermost = context.scope === undefined;
  const shown: ChatItem[] = [];
  const open = (): AsyncGenerator<Item, void> =>
    streamTeam<Item, Place>(context, {
      name,
      // Of an outermost run, messages are reported as what they are.
      task: isOutermost && typeof options.task !== 'string' ? undefined : lastTextOf(options.task),
      signal: options.signal,
      local: { runner },
      open: () => {
        context.task(options);
        return runStream();
      },
      isLast: isTaskResult,
      onItem: (item) => {
        if (isTaskResult(item)) return;
        context.items([item]);
        if (isWhole(item)) shown.push(item);
      },
      summary: () => context.attempt('observe', () => shown.findLast(isSaid)?.toText()),
      stopped: async ({ reason }, refusal) => {
        await resetCondition(context, runner);
        const messages = shown.length > 0 ? shown : shownTask(options);
        return { messages, stopReason: reason, refusal };
      },
    });
  const isTurn = !isOutermost && context.turn === undefined;
  if (!isTurn) return open();
  const info = { agent: name, rehearsed: REHEARSED };
  return stream(context, turn<Item, Place>(info), open, { isLast: isTaskResult });
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

/** Whether an item is more than a piece of a message. */
function isWhole({ type }: ChatItem): boolean {
  return type !== 'ModelClientStreamingChunkEvent';
}
