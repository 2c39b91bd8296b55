import { ModelCall, type ModelCallInfo } from '@teamfuse/adapter-kit';
import {
  type Caller,
  guardedTools,
  isModel,
  promptOf,
  tripBehind,
} from '@teamfuse/adapter-kit/language-models';
import { tellFailed } from './failed-calls.ts';
import { guardedModel } from './guarded-model.ts';
import type { Prepare, PreparedStep, Step } from './shapes.ts';
import type { Work } from './work.ts';

/** The steps of an agent's work: each asks for its model call before the framework begins it. */
export class GuardedSteps {
  readonly #work: Work;
  readonly #own: Prepare | undefined;
  readonly #stopped: () => void;
  readonly #caller: Caller;
  #admitted: ModelCall | undefined;

  /** `own` prepares steps for the user. `stopped` is called when the work ends with a step that is refused. */
  constructor(work: Work, own: Prepare | undefined, stopped: () => void) {
    const { context, agent, scope } = work;
    const places = { ofModel: () => scope, ofTool: () => scope };
    this.#work = work;
    this.#own = own;
    this.#stopped = stopped;
    this.#caller = { context, agent, places };
  }

  /** Asks for a step, and guards what it is made with. */
  async prepare(step: Step): Promise<PreparedStep | undefined> {
    const { context, scope } = this.#work;
    const prepared = await this.#own?.(step);
    if (!context.isActive) return prepared;
    const { model = step.model, tools = step.tools } = prepared ?? {};
    // One that is only named is made later, where nobody can reach it.
    if (!isModel(model)) return prepared;
    context.within(scope, () =>
      context.attempt('observe', () => tellFailed(context, step.messages)),
    );
    const info = this.#infoOf(step, model.modelId);
    try {
      this.#admitted = await context.within(scope, () => ModelCall.begin(context, info));
    } catch (error) {
      const trip = tripBehind(error, info.signal);
      if (trip === undefined) throw error;
      this.#stopped();
      const { kind, reason } = trip;
      step.abort(`teamfuse: ${reason}`, { metadata: { teamfuse: { kind, reason } } });
    }
    const guarded = guardedModel(model, this.#work, () => this.#take());
    return {
      ...prepared,
      model: guarded,
      ...(tools && { tools: guardedTools(tools, this.#caller) }),
    };
  }

  /** The work is over: a call that was admitted and never made takes nothing. */
  end(): void {
    this.#take()?.dropped();
  }

  #take(): ModelCall | undefined {
    const call = this.#admitted;
    this.#admitted = undefined;
    return call;
  }

  #infoOf({ messages, systemMessages = [], modelSettings }: Step, model: string): ModelCallInfo {
    const { agent, signal } = this.#work;
    const prompt = promptOf([...systemMessages, ...messages]);
    return { agent, model, prompt, maxOutputTokens: modelSettings?.maxOutputTokens, signal };
  }
}
