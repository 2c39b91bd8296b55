import {
  beginModel,
  type ModelCall,
  type ModelCallInfo,
  placeOfLastAnswer,
} from '@teamfuse/adapter-kit';
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
  #made: ModelCall | undefined;
  #isOver = false;

  /** `own` prepares steps for the user. `stopped` is called when the work ends with a step that is refused. */
  constructor(work: Omit<Work, 'made'>, own: Prepare | undefined, stopped: () => void) {
    const { context, agent, scope } = work;
    const scopes = { ofModel: () => scope, ofTool: () => scope };
    const made = (call: ModelCall): void => {
      this.#made = call;
    };
    this.#work = { ...work, made };
    this.#own = own;
    this.#stopped = stopped;
    this.#caller = { context, agent, scopes };
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
    let place = scope;
    try {
      place = await this.#admit(info);
    } catch (error) {
      const trip = tripBehind(error, info.signal);
      if (trip === undefined) throw error;
      this.#stopped();
      const { kind, reason } = trip;
      step.abort(`teamfuse: ${reason}`, { metadata: { teamfuse: { kind, reason } } });
    }
    const guarded = guardedModel(model, { ...this.#work, scope: place }, () => this.#take());
    return {
      ...prepared,
      model: guarded,
      ...(tools && { tools: guardedTools(tools, this.#caller) }),
    };
  }

  /** Asks for a call, or else for one that is the last answer. Returns the place where it is made. */
  async #admit(info: ModelCallInfo): Promise<Work['scope']> {
    const { context, scope } = this.#work;
    const ask = (place: Work['scope']): Promise<ModelCall> =>
      context.within(place, () => beginModel(context, info));
    try {
      this.#admitted = await ask(scope);
      return scope;
    } catch (error) {
      const last = context.within(scope, () => placeOfLastAnswer(context, error));
      if (last === undefined) throw error;
      this.#admitted = await ask(last.scope);
      last.granted();
      return last.scope;
    } finally {
      if (this.#isOver) this.end();
    }
  }

  /** The work is over: a call that was admitted and never made takes nothing, and one that nobody reads any more has broken off. */
  end(): void {
    this.#isOver = true;
    this.#made?.brokeOff();
    this.#admitted?.unmade();
    this.#admitted = undefined;
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
