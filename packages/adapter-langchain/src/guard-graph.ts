import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import { BoundedMap, GuardInstallError } from '@teamfuse/core/kit';
import { orInvalid } from '@teamfuse/core/options';
import type { Context, Local } from './context.ts';
import { runGraph, type Waits } from './graph-run.ts';
import { judgeModel } from './judge-model.ts';
import { messagesIn } from './messages.ts';
import { type GuardableAgent, type GuardableGraph, isAgent, isGraph } from './shapes.ts';

/** Options of {@link guardGraph}. */
export interface GraphGuardOptions extends kit.GuardOptions {
  /** The chat model that `judge: true` asks. @defaultValue that of the first agent of `createAgent` */
  readonly judgeModel?: object;
}

/** A graph, or an agent of `createAgent`. */
export type Guardable = GuardableGraph | GuardableAgent;

interface Target {
  readonly name: string;
  readonly graph: GuardableGraph;
  readonly model: unknown;
}

/** As many conversations as may wait for a person. */
const MAX_WAITS = 1000;

/**
 * Guards a compiled graph of LangGraph, an agent of `createAgent`, or several: every node, model call, tool call and sub-graph. A
 * run that trips ends before its next step with the state that it has; `tripOf(result)` says why. A run that may not begin is refused with
 * a `TrippedError`. Each thread has a conversation of its own, and so has each run without a thread.
 *
 * @throws {@link GuardInstallError} when it is no graph.
 */
export function guardGraph(
  graphs: Guardable | readonly Guardable[],
  breaker: Breaker,
  given: GraphGuardOptions = {},
): kit.AgentGuard {
  const { judgeModel: asked, ...options } = orInvalid('options', 'an object', given, () => ({
    ...given,
  }));
  const targets = kit.listOf(graphs).map(targetOf);
  const context: Context = new kit.GuardContext<Local>(
    kit.checkBreaker('the graph', breaker),
    options,
  );
  const guard = kit.installGuard(context, (taps) => {
    const waits: Waits = new BoundedMap(MAX_WAITS);
    for (const target of targets) tapGraph(context, taps, target, waits);
    const round = (): Promise<unknown> => Promise.all(targets.map(({ graph }) => graph.stream({})));
    const [{ name, model } = { name: 'agent', model: undefined }] = targets;
    return { round, speakers: ['stream'], model: judgeModel(name, asked ?? model) };
  });
  return kit.agentGuard(context, guard);
}

/** Why the run was stopped that a result or a stream comes from; `undefined` if it was not stopped, or not yet. */
export function tripOf(result: unknown): Trip | undefined {
  return kit.readOr(undefined, () => kit.tripOfRun(result, messagesIn(result).at(-1)));
}

/** The name of a graph, in signals and in reasons. */
export function nameOf(given: Guardable): string {
  return targetOf(given).name;
}

/** The model that a judge may ask. */
export function modelOfGraph(given: Guardable): kit.TeamModel | undefined {
  const { name, model } = targetOf(given);
  return judgeModel(name, model);
}

function targetOf(given: Guardable): Target {
  if (isAgent(given)) {
    const { options, graph } = given;
    return { name: options.name ?? 'agent', graph, model: options.model };
  }
  if (isGraph(given)) return { name: given.name ?? 'graph', graph: given, model: undefined };
  const expected = 'a compiled graph, or an agent of createAgent()';
  throw new GuardInstallError('the graph', `${expected}; received ${kit.describe(given)}`);
}

type Stream = GuardableGraph['stream'];

function tapGraph(context: Context, taps: kit.TapSet, { name, graph }: Target, waits: Waits): void {
  if (!taps.claim(graph, name)) return;
  const original = graph.stream.bind(graph);
  const stream: Stream = async (input, config = {}) => {
    const { scope } = context;
    // Inside a run of a graph, its callbacks hear everything.
    if (!context.isActive || scope?.local?.isHeard) return original(input, config);
    if (context.isRehearsal) return rehearsed(context, name);
    return runGraph(context, { name, input, config, waits, call: original });
  };
  taps.replace(graph, name, 'stream', stream, [() => stream({})]);
}

function rehearsed(context: Context, agent: string): Promise<ReadableStream> {
  const nothing = new ReadableStream({ start: (controller) => controller.close() });
  const work = async (): Promise<ReadableStream> => nothing;
  return kit.runAgent(context, { agent, work, textOf: () => undefined, rehearsed: nothing });
}
