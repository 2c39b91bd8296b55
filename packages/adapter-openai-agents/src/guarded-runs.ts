import * as kit from '@teamfuse/adapter-kit';
import type { MaybePromise } from '@teamfuse/core/kit';
import { guardedModel, nameOfModel } from './guarded-model.ts';
import { guardedInvoke } from './guarded-tool.ts';
import { Leases } from './leases.ts';
import type { Context, Progress } from './place.ts';
import {
  type GuardableModel,
  type GuardableProvider,
  type GuardableRunner,
  type HandoffListener,
  isFunctionTool,
  isModel,
  type RunnableAgent,
  type RunOptions,
  type StartListener,
  type StreamedResult,
} from './shapes.ts';

/** One call of `run`. */
export interface RunCall {
  readonly runner: GuardableRunner;
  readonly agent: RunnableAgent;
  readonly input: unknown;
  readonly options: RunOptions | undefined;
}

/** Which guards have begun the run that these options belong to. */
const begunBy: WeakMap<RunOptions, readonly GuardedRuns[]> = new WeakMap();

/** The runs that one guard watches, with everything that they reach. */
export class GuardedRuns {
  readonly #context: Context;
  readonly #leases: Leases = new Leases();
  readonly #models: WeakMap<GuardableModel, GuardableModel> = new WeakMap();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Runs an agent: as a run of its own, or as nested work inside a run of this guard. */
  async run(
    call: RunCall,
    original: (options: RunOptions) => PromiseLike<object>,
  ): Promise<object> {
    const { agent, input, options = {} } = call;
    const context = this.#context;
    const guards = begunBy.get(options) ?? [];
    if (!context.isActive || guards.includes(this)) return original(options);
    const given = { ...options };
    begunBy.set(given, [...guards, this]);
    const local = progressOf(agent, input);
    const continues = stateIn(input);
    const info = { agent: agent.name, task: kit.taskIn(input), signal: options.signal, local };
    if (context.isRehearsal) {
      const rehearsed = {};
      return kit.runAgent<object, Progress>(context, { ...info, ...REHEARSAL, rehearsed });
    }
    const work = await kit.beginAgent<Progress>(context, { ...info, continues });
    let result: object | undefined;
    const end = (how: kit.AgentEnd): MaybePromise<void> => {
      this.#leases.release(local.held);
      const paused = pausedState(result);
      if (paused !== undefined) context.within(work.scope, () => context.keepFor(paused));
      return work.end(how);
    };
    try {
      result = await context.within(work.scope, async () => {
        this.#reach(local, call);
        return original(given);
      });
      kit.comesFrom(work.scope.run, result);
      if (options.stream) {
        context.inBackground('observe', () => endOf(result as StreamedResult).then(end));
      } else await end({ text: textIn(result) });
      return result;
    } catch (error) {
      await end({ error });
      throw error;
    }
  }

  /** Whether a run of this guard is under way here. */
  get isInside(): boolean {
    return this.#context.isActive && this.#context.scope?.local !== undefined;
  }

  /** Taps what a run needs: the runner, its agent, and the class of runners, whose others run the agents in tools. */
  #reach(local: Progress, { runner, agent, input }: RunCall): void {
    this.#holdRunner(local, runner);
    this.#holdClass(local, runner);
    this.#holdAgent(local, agent);
    // A run that goes on begins with tools that an agent after a hand-off has asked for.
    const { _currentAgent: current } = Object(input) as { readonly _currentAgent?: RunnableAgent };
    if (current !== undefined) this.#holdAgent(local, current);
  }

  #holdClass({ held }: Progress, runner: GuardableRunner): void {
    const owner = ownerOfRun(runner);
    if (owner === undefined) return;
    this.#leases.hold(held, owner, 'the class of runners', (taps) => {
      taps.replace('run', this.tapped(owner, { isOutermost: false }));
    });
  }

  #holdRunner({ held }: Progress, runner: GuardableRunner): void {
    const { config } = runner;
    this.#leases.hold(held, config, 'the runner', (taps) => {
      const { model, modelProvider } = config;
      taps.replace('modelProvider', this.#provider(modelProvider));
      if (isModel(model)) taps.replace('model', this.#model(model, undefined));
    });
    this.#leases.hold(held, runner, 'the runner', ({ undoBy }) => {
      const started: StartListener = (_context, agent) => this.#arrived(agent);
      const handedOff: HandoffListener = (_context, from, to) => this.#handedOff(from, to);
      runner.on('agent_start', started);
      runner.on('agent_handoff', handedOff);
      undoBy(() => {
        runner.off('agent_start', started);
        runner.off('agent_handoff', handedOff);
      });
    });
  }

  #holdAgent(local: Progress, agent: RunnableAgent): void {
    if (!kit.hasMethods(agent, 'getAllTools')) return;
    this.#holdTools(local, agent.tools ?? []);
    this.#leases.hold(local.held, agent, `agent '${agent.name}'`, (taps) => {
      const { model } = agent;
      if (isModel(model)) taps.replace('model', this.#model(model, undefined));
      const original = agent.getAllTools.bind(agent);
      taps.replace('getAllTools', async (...args: readonly unknown[]) => {
        const tools = await original(...args);
        const now = this.#context.scope?.local;
        if (now !== undefined) this.#holdTools(now, tools);
        return tools;
      });
    });
  }

  #holdTools({ held }: Progress, tools: readonly object[]): void {
    for (const tool of tools.filter(isFunctionTool)) {
      this.#leases.hold(held, tool, `tool '${tool.name}'`, (taps) => {
        taps.replace('invoke', guardedInvoke(this.#context, tool));
      });
    }
  }

  /** An agent has its turn, at the beginning or after a hand-off. */
  #arrived(agent: RunnableAgent): void {
    const context = this.#context;
    const { local } = context.scope ?? {};
    if (local === undefined) return;
    local.agent = agent.name;
    context.attempt('observe', () => this.#holdAgent(local, agent));
  }

  #handedOff({ name: from }: RunnableAgent, { name: to }: RunnableAgent): void {
    if (!this.isInside) return;
    this.#context.observe({ kind: 'handoff', ...this.#context.originOf(from), to });
  }

  #provider(provider: GuardableProvider): GuardableProvider {
    return kit.overlay(provider, {
      getModel: async (name) => this.#model(await provider.getModel(name), name),
    });
  }

  #model(model: GuardableModel, name: string | undefined): GuardableModel {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    const guarded = guardedModel(this.#context, model, nameOfModel(model, name));
    this.#models.set(model, guarded);
    // A runner in a tool has the provider of the one around.
    this.#models.set(guarded, guarded);
    return guarded;
  }

  /** The member `run` of a runner, or of a class of them. Without `isOutermost`, it only follows runs of this guard. */
  tapped(target: object, { isOutermost }: { readonly isOutermost: boolean }) {
    const runs = this;
    const own = Object.hasOwn(target, 'run') ? Reflect.get(target, 'run') : undefined;
    return function run(
      this: GuardableRunner,
      agent: RunnableAgent,
      input: unknown,
      options?: RunOptions,
    ): Promise<object> {
      const original = (given?: RunOptions): Promise<object> =>
        (own ?? Reflect.get(Object.getPrototypeOf(target), 'run')).call(this, agent, input, given);
      if (!isOutermost && !runs.isInside) return original(options);
      return runs.run({ runner: this, agent, input, options }, original);
    };
  }
}

const REHEARSAL = { work: async () => ({}), textOf: () => undefined };

function progressOf(agent: RunnableAgent, input: unknown): Progress {
  // A run that goes on has answers in its state.
  return { agent: agent.name, hasAnswer: stateIn(input) !== undefined, held: new Set() };
}

/** The state from which a run goes on, if it does. */
function stateIn(input: unknown): object | undefined {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : undefined;
}

/** The state of a run that waits for the approval of a call. */
function pausedState(result: object | undefined): object | undefined {
  const { interruptions, state } = Object(result) as Readonly<Record<string, unknown>>;
  const isPaused = Array.isArray(interruptions) && interruptions.length > 0;
  return isPaused && typeof state === 'object' && state !== null ? state : undefined;
}

function textIn(result: object): string | undefined {
  const step: unknown = Reflect.get(Object(Reflect.get(result, 'state')), '_currentStep');
  const output: unknown = Reflect.get(Object(step), 'output');
  return typeof output === 'string' ? output : undefined;
}

async function endOf(result: StreamedResult): Promise<kit.AgentEnd> {
  try {
    await result.completed;
    return result.cancelled === true ? { isLeft: true } : { text: textIn(result) };
  } catch (error) {
    return { error };
  }
}

function ownerOfRun(runner: object): object | undefined {
  let at: object | null = Object.getPrototypeOf(runner);
  while (at !== null && !Object.hasOwn(at, 'run')) at = Object.getPrototypeOf(at);
  return at ?? undefined;
}
