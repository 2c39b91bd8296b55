import type { MaybePromise } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import type { OpenRunOptions } from '../context/run.ts';
import type { Scope } from '../context/scope.ts';
import { nestedRun } from './nested-run.ts';
import { begin } from './step.ts';
import { TeamRun } from './team-run.ts';
import { turn } from './turn.ts';

/** An agent that is about to work on a task. */
export interface AgentInfo<L> {
  readonly agent: string;
  /** The task, if it is a text. */
  readonly task?: string | undefined;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The part of the place inside that belongs to the adapter. */
  readonly local?: L;
}

/** How the work of an agent ended. */
export interface AgentEnd {
  /** The error that it ended with. */
  readonly error?: unknown;
  /** The text that nested work came back with. */
  readonly text?: string | undefined;
  /** Whether its reader left before the end. */
  readonly isLeft?: boolean;
}

/** An agent at work, until {@link AgentWork.end} is called: for frameworks that tell of the end elsewhere. */
export interface AgentWork<L> {
  /** The place of everything that the agent does. */
  readonly scope: Scope<L>;
  /** Reports the end. Idempotent. */
  end(end?: AgentEnd): MaybePromise<void>;
}

/**
 * Lets an agent begin to work: as an outermost run if none is under way, as nested work inside a tool or a turn of another agent,
 * and else as one turn of the run around it. An outermost run has a conversation of its own, unless the options name one.
 *
 * @throws TrippedError when the work is refused.
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export async function beginAgent<L>(
  context: GuardContext<L>,
  info: AgentInfo<L> & OpenRunOptions,
): Promise<AgentWork<L>> {
  const { scope } = context;
  const around: AgentWork<L> =
    scope === undefined
      ? await beginRun(context, info)
      : scope.agent === undefined
        ? { scope, end: () => {} }
        : await beginNested(context, info);
  try {
    return await context.within(around.scope, () => beginTurn(context, info, around));
  } catch (error) {
    await around.end({ error });
    throw error;
  }
}

/** The work of an agent as a whole. */
export interface AgentCall<T, L> extends AgentInfo<L> {
  readonly work: () => PromiseLike<T>;
  /** The text that the work came back with. */
  readonly textOf: (value: T) => unknown;
  /** What comes of the work while the guard tests itself. */
  readonly rehearsed: T;
}

/**
 * Lets an agent work, as {@link beginAgent} does.
 *
 * @throws TrippedError when the work is refused.
 */
export async function runAgent<T, L>(
  context: GuardContext<L>,
  { work, textOf, rehearsed, ...info }: AgentCall<T, L>,
): Promise<T> {
  if (!context.isActive) return work();
  const begun = await beginAgent(context, info);
  let end: AgentEnd = {};
  try {
    const value = await context.within(begun.scope, async () =>
      context.isRehearsal ? rehearse(context, info.agent, rehearsed) : work(),
    );
    const text = textOf(value);
    if (typeof text === 'string') end = { text };
    return value;
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    await begun.end(end);
  }
}

function rehearse<T, L>(context: GuardContext<L>, agent: string, rehearsed: T): T {
  context.observe({ kind: 'message', ...context.originOf(agent), text: 'Thank you.' });
  return rehearsed;
}

async function beginTurn<L>(
  context: GuardContext<L>,
  { agent, local }: AgentInfo<L>,
  around: AgentWork<L>,
): Promise<AgentWork<L>> {
  const own = local !== undefined && { local };
  const { scope = around.scope, ...step } = await begin(
    context,
    turn({ agent, asksModel: true, ...own }),
  );
  let isOver = false;
  return {
    scope,
    end(how = {}) {
      if (isOver) return;
      isOver = true;
      step.end(undefined);
      return around.end(how);
    },
  };
}

/**
 * Begins an outermost run, without a turn. It has a conversation of its own, unless it or the options name one.
 *
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export async function beginRun<L>(
  context: GuardContext<L>,
  { agent, task, signal, local, ...options }: AgentInfo<L> & OpenRunOptions,
): Promise<AgentWork<L>> {
  const own = local !== undefined && { local };
  const isApart = context.conversationName === undefined && options.conversation === undefined;
  const run = await TeamRun.begin(context, { name: agent, signal, isApart, ...options, ...own });
  if (task !== undefined) context.within(run.scope, () => context.reportTask(task));
  return {
    scope: run.scope,
    end({ isLeft = false, ...failure } = {}) {
      if ('error' in failure) run.failed(failure.error);
      return run.close({ isLeft });
    },
  };
}

/**
 * Begins nested work at the current place, without a turn.
 *
 * @throws TrippedError when the work is refused.
 */
export async function beginNested<L>(
  context: GuardContext<L>,
  { agent, task, local }: AgentInfo<L>,
): Promise<AgentWork<L>> {
  const own = local !== undefined && { local };
  const by = context.scope?.agent ?? agent;
  let last: string | undefined;
  const said = (): string | undefined => last;
  const nested = nestedRun({ name: agent, agent: by, text: task, said, ...own });
  const step = await begin(context, nested);
  return {
    scope: step.scope as Scope<L>,
    end({ text } = {}) {
      last = text;
      step.end(undefined);
    },
  };
}
