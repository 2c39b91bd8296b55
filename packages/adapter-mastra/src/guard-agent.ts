import * as kit from '@teamfuse/adapter-kit';
import {
  type Context,
  isModel,
  type Progress,
  tripBehind,
} from '@teamfuse/adapter-kit/language-models';
import type { Breaker, Trip } from '@teamfuse/core';
import { GuardInstallError, whenDropped } from '@teamfuse/core/kit';
import { GuardedSteps } from './guarded-step.ts';
import { endNetwork, tapNetwork } from './network.ts';
import { rehearsed } from './rehearsed.ts';
import { type AgentCallOptions, type GuardableAgent, isAgent } from './shapes.ts';

/**
 * Guards an agent, or several that work together, with their sub-agents: every turn, model call and tool call. A run that trips ends before its next
 * model call with a tripwire and the steps that it has, a network as if it were aborted; `tripOf(result)` says why. Work that has not
 * begun is refused with a `TrippedError`.
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
    // A judge asks the model itself, also for a network.
    const model = modelOfAgents(all);
    for (const agent of new Set(all)) tapSubAgents(context, taps, agent);
    const round = () => Promise.all(all.map((agent) => agent.generate('')));
    return { round, speakers: ['generate'], model };
  });
  return kit.agentGuard(context, guard);
}

/** The model that a judge may ask. */
export function modelOfAgents(agents: readonly GuardableAgent[]): kit.TeamModel | undefined {
  const [agent] = agents;
  if (agent === undefined) return undefined;
  const modelOf = agent.getModel.bind(agent);
  const doGenerate = async (params: object): Promise<object> => {
    const model = await modelOf();
    if (!isModel(model)) throw new TypeError('the model of the agent cannot be asked');
    return model.doGenerate(params as never);
  };
  const client = { doGenerate, doStream: doGenerate, ...idOf(agent) };
  return { agent: agent.name, client: client as unknown as kit.TeamModel['client'] };
}

/** The id of a model that an agent has by itself, and not by a function of the request. */
function idOf(agent: GuardableAgent): { readonly modelId: string } {
  const model: unknown = Reflect.get(agent, 'model');
  const { modelId = model } = Object(model);
  return { modelId: typeof modelId === 'string' ? modelId : '' };
}

type Way = (messages: unknown, options?: AgentCallOptions) => PromiseLike<object>;

/** Whether the agent was not tapped yet. */
function tapAgent(context: Context, taps: kit.TapSet, agent: GuardableAgent): boolean {
  if (!isAgent(agent)) {
    throw new GuardInstallError('the agent', `an Agent of Mastra; received ${kit.describe(agent)}`);
  }
  const { name } = agent;
  if (!taps.claim(agent, name)) return false;
  const defaults = agent.getDefaultOptions.bind(agent);
  for (const member of ['generate', 'stream'] as const) {
    const original: Way = agent[member].bind(agent);
    const tapped = async (messages: unknown, given: AgentCallOptions = {}): Promise<object> => {
      if (!context.isActive) return original(messages, given);
      if (context.isRehearsal) return rehearsed(context, name);
      const { requestContext } = given;
      const { prepareStep } = Object(await defaults({ requestContext })) as AgentCallOptions;
      const call = new AgentCall(context, name, { prepareStep, ...given });
      return call.make(messages, original, member === 'generate');
    };
    taps.replace(agent, name, member, tapped, [() => tapped('')]);
  }
  return true;
}

/** Sub-agents that depend on the request cannot be known before: only their calls as tools are guarded. */
function tapSubAgents(context: Context, taps: kit.TapSet, agent: GuardableAgent): void {
  tapNetwork(context, taps, agent);
  const known: unknown = kit.readOr(undefined, () => agent.listAgents?.());
  const agents = known instanceof Promise ? [] : Object.values(Object(known)).filter(isAgent);
  for (const one of agents) {
    if (tapAgent(context, taps, one)) tapSubAgents(context, taps, one);
  }
}

/** One call of an agent. */
class AgentCall {
  readonly #context: Context;
  readonly #agent: string;
  readonly #options: AgentCallOptions;

  constructor(context: Context, agent: string, options: AgentCallOptions) {
    this.#context = context;
    this.#agent = agent;
    this.#options = options;
  }

  /** Makes it. A stream goes on after it was handed out; a listener hears of its end. */
  async make(messages: unknown, call: Way, isWhole: boolean): Promise<object> {
    const context = this.#context;
    const { abortSignal: signal, prepareStep: own } = this.#options;
    const agent = this.#agent;
    const task = kit.taskIn(messages);
    const info = { agent, task, signal, local: { hasAnswer: false } };
    let begun: kit.AgentWork<Progress>;
    try {
      begun = await kit.beginAgent<Progress>(context, info);
    } catch (error) {
      const trip = tripBehind(error, signal);
      if (trip !== undefined) endNetwork(context.scope, trip.reason);
      // A network gives its agents its own signal. That is aborted now, so that the agent does nothing.
      if (trip === undefined || !signal?.aborted) throw error;
      return call(messages, this.#options);
    }
    const { scope } = begun;
    const end = (ended?: kit.AgentEnd): void => {
      steps.end();
      context.inBackground('observe', () => begun.end(ended));
    };
    const stopped = (): void => {
      if (!isWhole) end();
    };
    const steps = new GuardedSteps({ context, agent, scope, signal }, own, stopped);
    const prepareStep: AgentCallOptions['prepareStep'] = (step) => steps.prepare(step);
    const given = { ...this.#options, prepareStep, ...(!isWhole && this.#listening(end)) };
    try {
      // The framework keeps this as long as there may be another step, and a stream that nobody can read tells of no end.
      if (!isWhole) whenDropped(prepareStep, () => end({ isLeft: true }));
      const result = await context.within(scope, call, messages, given);
      kit.comesFrom(scope.run, result);
      if (isWhole) end({ text: textOf(result) });
      return result;
    } catch (error) {
      end({ error });
      throw error;
    }
  }

  /** The listeners of the caller, which hear of the end first. */
  #listening(end: (ended?: kit.AgentEnd) => void): AgentCallOptions {
    const listeners = ['onFinish', 'onError', 'onAbort'] as const;
    return Object.fromEntries(
      listeners.map((name) => {
        const own = this.#options[name] as ((event: object) => unknown) | undefined;
        const listener = async (event: object): Promise<unknown> => {
          try {
            return await own?.(event);
          } finally {
            const error: unknown = name === 'onError' ? Reflect.get(event, 'error') : undefined;
            end(error === undefined ? {} : { error });
          }
        };
        return [name, listener];
      }),
    );
  }
}

function textOf(result: object): string | undefined {
  const text: unknown = kit.readOr(undefined, () => Reflect.get(result, 'text'));
  return typeof text === 'string' ? text : undefined;
}

/** Why the run was stopped that a result or a stream comes from. `undefined` if it was not stopped, or not yet. */
export function tripOf(result: unknown): Trip | undefined {
  return kit.tripOfRun(result);
}
