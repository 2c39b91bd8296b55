import * as kit from '@teamfuse/adapter-kit';
import { type Context, modelIn, type Progress } from '@teamfuse/adapter-kit/language-models';
import type { Breaker, Trip } from '@teamfuse/core';
import { GuardInstallError, whenDropped } from '@teamfuse/core/kit';
import { guardedCall } from './guarded-call.ts';
import {
  type AgentCallOptions,
  type CallSettings,
  type GuardableAgent,
  isAgent,
  settingsOf,
} from './shapes.ts';

type Prepare = (
  args: CallSettings,
) => CallSettings | undefined | PromiseLike<CallSettings | undefined>;

/**
 * Guards an agent, or several that work together: every turn, model call and tool call. A run that trips ends before its next
 * model call with the steps that it has; `tripOf(result)` says why. Work that has not begun is refused with a `TrippedError`.
 *
 * @throws {@link GuardInstallError} when an agent cannot be guarded.
 */
export function guardAgent(
  agents: GuardableAgent | readonly GuardableAgent[],
  breaker: Breaker,
  options?: kit.GuardOptions,
): kit.AgentGuard {
  const all = kit.listOf(agents);
  const context: Context = new kit.GuardContext(kit.checkBreaker('the agent', breaker), options, {
    canWrapUp: true,
  });
  const guard = kit.installGuard(context, (taps) => {
    for (const agent of all) tapAgent(context, taps, agent);
    const round = () => Promise.all(all.map((agent) => agent.generate({ prompt: '' })));
    return { round, speakers: ['generate'], model: modelOfAgents(all) };
  });
  return kit.agentGuard(context, guard);
}

/** The model that a judge may ask. */
export function modelOfAgents(agents: readonly GuardableAgent[]): kit.TeamModel | undefined {
  const [agent] = agents;
  if (agent === undefined) return undefined;
  const name = nameOf(agent);
  return { agent: name, client: modelIn(settingsOf(agent)?.model, name) };
}

/** The name of an agent. */
export function nameOf({ id }: GuardableAgent): string {
  return id ?? 'agent';
}

function tapAgent(context: Context, taps: kit.TapSet, agent: GuardableAgent): void {
  if (!isAgent(agent)) {
    throw new GuardInstallError('the agent', `a ToolLoopAgent; received ${kit.describe(agent)}`);
  }
  const name = nameOf(agent);
  if (!taps.claim(agent, name)) return;
  const settings = settingsOf(agent) as CallSettings & { prepareCall?: Prepare };
  modelIn(settings.model, name);
  const original = settings.prepareCall;
  const prepareCall: Prepare = async (args) => {
    const prepared = (await original?.call(settings, args)) ?? args;
    const { scope } = context;
    if (!context.isActive || scope === undefined) return prepared;
    const scopes = { ofModel: () => scope, ofTool: () => scope };
    return guardedCall(prepared, { context, agent: name, scopes });
  };
  taps.replace(settings, name, 'prepareCall', prepareCall);
  const generate = agent.generate.bind(agent);
  const stream = agent.stream.bind(agent);
  const taking = {
    generate: (given: AgentCallOptions) => working(context, name, given, generate),
    stream: (given: AgentCallOptions) => streaming(context, name, given, stream),
  };
  for (const member of ['generate', 'stream'] as const) {
    taps.replace(agent, name, member, taking[member], [() => taking[member]({ prompt: '' })]);
  }
}

type Call = (options: AgentCallOptions) => PromiseLike<object>;

function infoOf(agent: string, { prompt, messages, abortSignal: signal }: AgentCallOptions) {
  return { agent, task: kit.taskIn(prompt ?? messages), signal, local: { hasAnswer: false } };
}

function working(
  context: Context,
  agent: string,
  given: AgentCallOptions,
  call: Call,
): Promise<object> {
  return kit.runAgent<object, Progress>(context, {
    ...infoOf(agent, given),
    work: async () => known(context, await call(given)),
    textOf: (result) => Reflect.get(result, 'text'),
    rehearsed: {},
  });
}

/** A stream goes on after it was handed out: its last part ends the work. */
async function streaming(context: Context, agent: string, given: AgentCallOptions, call: Call) {
  if (!context.isActive || context.isRehearsal) return working(context, agent, given, call);
  const work = await kit.beginAgent<Progress>(context, infoOf(agent, given));
  const ended = (end: kit.AgentEnd): void => context.inBackground('observe', () => work.end(end));
  const ends = (): object => {
    const passed = new TransformStream<{ readonly type: string }>({
      transform(part, controller) {
        if (LAST.has(part.type)) ended({});
        controller.enqueue(part);
      },
    });
    // The framework keeps copies of a stream, so that its reader can leave without a word.
    whenDropped(passed.readable, () => ended({ isLeft: true }));
    return passed;
  };
  const { experimental_transform: own = [] } = given;
  const options = { ...given, experimental_transform: [own, ends].flat() };
  try {
    return await context.within(work.scope, async () => known(context, await call(options)));
  } catch (error) {
    await work.end({ error });
    throw error;
  }
}

const LAST: ReadonlySet<string> = new Set(['finish', 'abort', 'error']);

function known(context: Context, result: object): object {
  const { run } = context.scope ?? {};
  if (run !== undefined) kit.comesFrom(run, result);
  return result;
}

/**
 * Why the run behind a result or a step was stopped. Give it what `generate()`, `stream()` or `generateText()` returned, or the last of
 * `await result.steps` of `streamText()`. `undefined` if the run was not stopped, or not yet.
 */
export function tripOf(result: unknown): Trip | undefined {
  return kit.readOr(undefined, () => {
    const known = kit.tripOfRun(result);
    // The other members of a stream's result would read the stream.
    if (known !== undefined || kit.hasMethods(result, 'consumeStream')) return known;
    const { steps, providerMetadata } = result as Readonly<Record<string, unknown>>;
    const { teamfuse } = Object(providerMetadata) as { readonly teamfuse?: unknown };
    return kit.tripOfRun(Array.isArray(steps) ? steps.at(-1) : undefined, teamfuse);
  });
}
