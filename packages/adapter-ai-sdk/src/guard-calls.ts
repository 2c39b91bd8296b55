import { randomUUID } from 'node:crypto';
import { checkBreaker, GuardContext, KeyedRuns, type Scope } from '@teamfuse/adapter-kit';
import {
  type Caller,
  type CallScopes,
  type Context,
  type GuardableModel,
  type GuardableTools,
  guardedModel,
  guardedTools,
  type ModelParams,
  modelIn,
  type Progress,
  type PromptMessage,
  type RunKey,
} from '@teamfuse/adapter-kit/language-models';
import type { Breaker } from '@teamfuse/core';
import { type OptionTable, readOptions } from '@teamfuse/core/options';
import { whenTripped } from './guarded-call.ts';
import { PromptReporter } from './prompt-reporter.ts';
import type { StopCondition } from './shapes.ts';

/** Options of {@link guardModel} and {@link guardTools}. */
export interface CallOptions {
  /** Who calls, in signals and in reasons. @defaultValue 'agent' */
  readonly agent?: string;
  /**
   * The id of the conversation that calls outside of a run belong to.
   * @defaultValue one for all calls on the breaker
   */
  readonly conversation?: string;
}

const OPTIONS: OptionTable<CallOptions, 'agent' | 'conversation'> = {
  agent: { type: 'text' },
  conversation: { type: 'text' },
};

/** Checks options. @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function callOptions(options: CallOptions): CallOptions {
  return readOptions<CallOptions, 'agent' | 'conversation'>('', options, OPTIONS);
}

/** Those of each breaker, by the conversation that is named. */
const runsOf: WeakMap<Breaker, Map<string | undefined, CallRuns>> = new WeakMap();

/** The runs of calls that no agent makes. */
export class CallRuns implements CallScopes {
  readonly context: Context;
  readonly #runs: KeyedRuns<Progress>;
  readonly #prompts: PromptReporter = new PromptReporter();
  /** What belongs to the places of runs that began with a call. */
  readonly #own: WeakSet<object> = new WeakSet();

  private constructor(context: Context) {
    this.context = context;
    this.#runs = new KeyedRuns(context, () => {
      const local = { hasAnswer: false };
      this.#own.add(local);
      return local;
    });
    context.listen();
  }

  static of(target: string, breaker: Breaker, { conversation }: CallOptions = {}): CallRuns {
    const all = runsOf.get(checkBreaker(target, breaker)) ?? new Map();
    runsOf.set(breaker, all);
    const known = all.get(conversation);
    if (known !== undefined) return known;
    const options = conversation === undefined ? {} : { conversation };
    const runs = new CallRuns(new GuardContext<Progress>(breaker, options, { canWrapUp: true }));
    all.set(conversation, runs);
    return runs;
  }

  /** Those of all conversations. */
  static all(breaker: Breaker): readonly CallRuns[] {
    return [...(runsOf.get(breaker)?.values() ?? [])];
  }

  callerOf({ agent = 'agent' }: CallOptions): Caller {
    return { context: this.context, agent, scopes: this };
  }

  /**
   * `generateText()` makes headers of its own for each call, and `streamText()` passes on what it is given. A streamed step therefore
   * belongs to the run that made the tool calls whose results end its prompt. Any other streamed step begins a run.
   */
  keyOfStream({ prompt }: ModelParams): string {
    const ids = callsAnswered(prompt.at(-1)).map((callId) => this.#runs.idOfCall(callId));
    return ids.find(Boolean) ?? randomUUID();
  }

  /** What an agent asks is known from its task, and what a tool asks from its call. */
  onPrompt(prompt: readonly PromptMessage[]): void {
    const { agent, local, tool } = this.context.scope ?? {};
    const isOwn = local !== undefined && this.#own.has(local);
    if (isOwn || (agent ?? tool) === undefined) this.#prompts.report(this.context, prompt);
  }

  ofModel(key: RunKey, agent: string): Scope<Progress> | undefined {
    return this.context.scope ?? (key === undefined ? undefined : this.#runs.of(key, agent));
  }

  ofTool(callId: string): Scope<Progress> | undefined {
    return this.context.scope ?? this.#runs.ofCall(callId);
  }

  answered(key: RunKey, callIds: readonly string[]): void {
    if (key === undefined) return;
    if (callIds.length > 0) this.#runs.asked(key, callIds);
    else this.end(key);
  }

  lost(key: RunKey): void {
    if (key !== undefined) this.#runs.lost(key);
  }

  end(key: object | string): void {
    this.#runs.end(key);
  }
}

/** The calls of tools that a message brings the results of. */
function callsAnswered(message: PromptMessage | undefined): readonly string[] {
  if (message?.role !== 'tool' || typeof message.content === 'string') return [];
  return message.content.map((part) => String(Reflect.get(part, 'toolCallId') ?? ''));
}

/**
 * Guards a language model. Each call of `generateText()` or `streamText()` is a run of its own; where a run is under way, its calls
 * belong to that one.
 *
 * @throws {@link GuardInstallError} when it is no model object.
 */
export function guardModel<M extends GuardableModel>(
  model: M,
  breaker: Breaker,
  options: CallOptions = {},
): M {
  const checked = callOptions(options);
  const runs = CallRuns.of('the model', breaker, checked);
  return guardedModel(modelIn(model, 'the model') as M, runs.callerOf(checked));
}

/** Guards tools: each call is refused before its effect, or reported with what came of it. */
export function guardTools<T extends GuardableTools>(
  tools: T,
  breaker: Breaker,
  options: CallOptions = {},
): T {
  const checked = callOptions(options);
  return guardedTools(tools, CallRuns.of('the tools', breaker, checked).callerOf(checked));
}

/** A condition for `stopWhen`: the run has tripped. It ends with the steps that it has. */
export function tripped(breaker: Breaker): StopCondition {
  const { context } = CallRuns.of('stopWhen', breaker);
  const ofTool = (callId: string): Scope<Progress> | undefined =>
    CallRuns.all(breaker)
      .map((runs) => runs.ofTool(callId))
      .find((scope) => scope !== undefined);
  return whenTripped({ context, scopes: { ofTool } });
}

/** Lets the models and tools that {@link guardModel} and {@link guardTools} have guarded go on unguarded. */
export function unguardCalls(breaker: Breaker): void {
  for (const { context } of CallRuns.all(checkBreaker('the calls', breaker))) context.close();
  runsOf.delete(breaker);
}
