import * as kit from '@teamfuse/adapter-kit';
import { type BoundedMap, toJson } from '@teamfuse/core/kit';
import type { Context, Local } from './context.ts';
import { guardedStream } from './guarded-stream.ts';
import { RunEvents } from './run-events.ts';
import type { GuardableGraph, RunConfig } from './shapes.ts';

/** When each conversation began to wait for a person. */
export type Waits = BoundedMap<string, number>;

/** A run of a graph that is inside no other one. */
export interface GraphRun {
  readonly name: string;
  readonly input: unknown;
  readonly config: RunConfig;
  readonly waits: Waits;
  readonly call: GuardableGraph['stream'];
}

/** Runs a graph. @throws TrippedError when nothing of it may begin. */
export async function runGraph(context: Context, graph: GraphRun): Promise<ReadableStream> {
  const { name, config, call, input } = graph;
  const { callbacks } = config;
  const isOutermost = context.scope === undefined;
  const work = await begin(context, graph);
  const { run } = work.scope;
  let isOver = false;
  const ended = async (end: kit.AgentEnd): Promise<void> => {
    if (isOver) return;
    isOver = true;
    if (events.isInterrupted) graph.waits.set(run.conversation.id, context.breaker.now());
    await work.end(end);
  };
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, ...(config.signal ? [config.signal] : [])]);
  const events = new RunEvents(context, work.scope, { agent: name, signal, ended });
  const failed = (): boolean => {
    if (!isOutermost || !events.hasBegun || signal.aborted) return false;
    return run.trip !== undefined && (run.isRefused || run.signal.aborted);
  };
  const over = async (last: unknown, end: kit.AgentEnd): Promise<void> => {
    await ended(leaving.signal.aborted ? { isLeft: true } : end);
    if (run.trip !== undefined) kit.comesFrom(run, Object(last));
  };
  try {
    const guarded = { ...config, callbacks: withEvents(callbacks, events) };
    const stream = await context.within(events.scope, () =>
      call(input, { ...guarded, signal: context.abortSignal(signal) }),
    );
    const left = (): void => leaving.abort();
    const passed = guardedStream(stream, { failed, left, over });
    kit.comesFrom(run, passed);
    return passed;
  } catch (error) {
    await ended({ error });
    throw error;
  }
}

async function begin(context: Context, graph: GraphRun): Promise<kit.AgentWork<Local>> {
  const { name: agent, config, input } = graph;
  const { scope } = context;
  const task = kit.taskIn(input);
  if (scope !== undefined) {
    if (scope.agent === undefined) return { scope, end: () => {} };
    return kit.beginNested(context, { agent, task });
  }
  const thread: unknown = config.configurable?.thread_id;
  const conversation = conversationOf(context.conversationName, thread);
  const { resume } = Object(input) as { readonly resume?: unknown };
  const since = resume === undefined ? undefined : graph.waits.get(conversation ?? '');
  const restartsLimits = since === undefined;
  const { signal } = config;
  const work = await kit.beginRun(context, { agent, task, signal, conversation, restartsLimits });
  if (resume !== undefined) context.within(work.scope, answered, context, resume, since);
  return work;
}

/** A thread has a conversation of its own. */
export function conversationOf(named: string | undefined, thread: unknown): string | undefined {
  if (thread === undefined || thread === null || thread === '') return undefined;
  return named === undefined ? String(thread) : `${named}, ${thread}`;
}

/** A person has answered an interrupt. */
function answered(context: Context, resume: unknown, since: number | undefined): void {
  const text = typeof resume === 'string' ? resume : JSON.stringify(toJson(resume));
  const origin = context.originOf('user');
  const waited = since !== undefined && { waitedMs: Math.max(0, origin.at - since) };
  context.observe({ kind: 'human-input', ...origin, text, ...waited });
}

interface Callbacks {
  copy(more: readonly object[]): object;
}

/** Callbacks come as a list, or as a manager of one. */
function withEvents(callbacks: unknown, events: RunEvents): unknown {
  if (callbacks === undefined || callbacks === null) return [events];
  if (Array.isArray(callbacks)) return [...callbacks, events];
  return (callbacks as Callbacks).copy([events]);
}
