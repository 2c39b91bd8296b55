import * as kit from '@teamfuse/adapter-kit';
import { type Context, isModel, type Progress } from '@teamfuse/adapter-kit/language-models';
import { readJson } from '@teamfuse/core/kit';
import { guardedModel } from './guarded-model.ts';
import { rehearsed } from './rehearsed.ts';
import type { GuardableAgent, NetworkOptions } from './shapes.ts';
import type { Router, Work } from './work.ts';

const routers: WeakMap<object, NetworkRouter> = new WeakMap();

/** Ends a network, whose place this is, as if it were aborted. */
export function endNetwork(place: object | undefined, reason: string): void {
  if (place !== undefined) routers.get(place)?.stopped(reason);
}

/**
 * Guards the router of an agent's network. The framework makes a new agent for each decision and keeps it to itself, but asks the
 * guarded agent for its model.
 */
export function tapNetwork(context: Context, taps: kit.TapSet, agent: GuardableAgent): void {
  if (!kit.hasMethods(agent, 'network', 'resumeNetwork')) return;
  const { name } = agent;
  const modelOf = agent.getModel.bind(agent);
  taps.replace(agent, name, 'getModel', (options?: object) => {
    const router = context.scope && routers.get(context.scope);
    return router?.owner === agent ? router.model(modelOf, options) : modelOf(options);
  });
  for (const member of ['network', 'resumeNetwork'] as const) {
    const original = (Reflect.get(agent, member) as Way).bind(agent);
    const tapped = async (given: unknown, options: NetworkOptions = {}): Promise<object> => {
      if (!context.isActive) return original(given, options);
      if (context.isRehearsal) return rehearsed(context, name);
      const { requestContext } = options;
      const defaults = Object(await agent.getDefaultNetworkOptions?.({ requestContext }));
      const all: NetworkOptions = { ...defaults, ...options };
      const { abortSignal } = all;
      const task = kit.taskIn(given);
      const info = { agent: name, task, signal: abortSignal, local: { hasAnswer: false } };
      const begun = await kit.beginAgent<Progress>(context, info);
      const { scope } = begun;
      const work = { context, agent: name, scope, signal: abortSignal };
      const router = new NetworkRouter(agent, work, all);
      routers.set(scope, router);
      const end = (ended: kit.AgentEnd): void => {
        router.end();
        router.left();
        context.inBackground('observe', () => begun.end(ended));
      };
      try {
        const heard = { ...options, ...router.options };
        const stream = await context.within(scope, async () => original(given, heard));
        kit.comesFrom(scope.run, stream);
        stream.result.then(
          ({ error, result }) => end(error === undefined ? { text: result?.result } : { error }),
          (error: unknown) => end({ error }),
        );
        return stream;
      } catch (error) {
        end({ error });
        throw error;
      }
    };
    taps.replace(agent, name, member, tapped, [() => tapped('')]);
  }
}

type Way = (given: unknown, options: NetworkOptions) => PromiseLike<NetworkStream>;

/** The stream of a network, and its result. */
interface NetworkStream {
  readonly result: PromiseLike<{ readonly error?: unknown; readonly result?: { result?: string } }>;
}

/** The router of one run of a network. Each of its choices is a tool call, as a call of a sub-agent is. */
class NetworkRouter implements Router {
  /** The agent that is asked for its model. */
  readonly owner: GuardableAgent;
  readonly #work: Work;
  readonly #own: NetworkOptions;
  readonly #stop: AbortController = new AbortController();
  #use: kit.BegunStep<unknown, Progress> | undefined;
  #made: kit.ModelCall | undefined;

  constructor(owner: GuardableAgent, work: Omit<Work, 'router' | 'made'>, own: NetworkOptions) {
    this.owner = owner;
    const made = (call: kit.ModelCall): void => {
      this.#made = call;
    };
    this.#work = { ...work, router: this, made };
    this.#own = own;
  }

  /** Options that hear of each result, and end the network once its router is stopped. */
  get options(): NetworkOptions {
    const { abortSignal, onIterationComplete } = this.#own;
    const { signal: stop } = this.#stop;
    return {
      abortSignal: abortSignal === undefined ? stop : AbortSignal.any([abortSignal, stop]),
      // The framework would ask it past the agent.
      model: undefined,
      onIterationComplete: async (event) => {
        if (!stop.aborted) this.end({ value: event.result });
        await onIterationComplete?.(event);
      },
    };
  }

  /** The network is over: a call of its model that nobody reads any more has broken off. */
  left(): void {
    this.#made?.brokeOff();
  }

  /** The model that the framework asks the agent for. */
  async model(modelOf: (options?: object) => unknown, options?: object): Promise<unknown> {
    const { model: modelConfig } = this.#own;
    const model = await modelOf(modelConfig ? { ...options, modelConfig } : options);
    return isModel(model) ? guardedModel(model, this.#work) : model;
  }

  /** Begins the tool call that an answer of the router's model chooses. Any other answer is meant for the framework alone. */
  async said(text: string): Promise<void> {
    const { context, agent, scope, signal } = this.#work;
    const json = readJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const { primitiveId, primitiveType, prompt } = Object(json) as Record<string, unknown>;
    if (typeof primitiveId !== 'string' || primitiveType === 'none') return;
    const isTool = primitiveType === 'tool';
    const tool = isTool ? primitiveId : `${primitiveType}-${primitiveId}`;
    const args = primitiveType === 'agent' ? { prompt } : readJson(String(prompt));
    this.end();
    const step = kit.toolCall<unknown, Progress>({ agent, tool, args, signal });
    this.#use = await context.within(scope, () => kit.begin(context, step));
  }

  stopped(reason: string): void {
    this.#stop.abort(new Error(reason));
  }

  /** Ends the tool call that is under way: it has a result, or the network is over. */
  end(outcome?: { readonly value: unknown }): void {
    this.#use?.end(outcome);
    this.#use = undefined;
  }
}
