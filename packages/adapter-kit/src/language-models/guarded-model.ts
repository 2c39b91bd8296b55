import type { Breaker } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { type LastAnswer, lastAnswerIn } from '../context/last-answer.ts';
import { NUDGE_AUTHOR } from '../context/nudges.ts';
import { describe } from '../install/check-breaker.ts';
import { overlay } from '../install/overlay.ts';
import type { Caller } from './caller.ts';
import { answeredIn } from './calls.ts';
import { type ModelStep, streamedStep, wholeStep } from './model-step.ts';
import { promptOf } from './parts.ts';
import { type GuardableModel, isModel, type ModelParams, type PromptMessage } from './shapes.ts';

const originals: WeakMap<object, { readonly model: GuardableModel; readonly breaker: Breaker }> =
  new WeakMap();

/** The model whose calls are asked for and reported. One that this breaker guards already is guarded anew, once. */
export function guardedModel<M extends GuardableModel>(given: M, caller: Caller): M {
  const { breaker } = caller.context;
  const known = originals.get(given);
  const model = known?.breaker === breaker ? (known.model as M) : given;
  const changes: Partial<GuardableModel> = {
    doGenerate: (params) =>
      wholeStep(caller, params.headers, () =>
        stepOf(model, caller, params, (given) => model.doGenerate(given)),
      ),
    doStream: (params) =>
      streamedStep(caller, caller.scopes.keyOfStream?.(params) ?? params.headers, () =>
        stepOf(model, caller, params, (given) => model.doStream(given)),
      ),
  };
  const guarded = overlay(model, changes as Partial<M>);
  originals.set(guarded, { model, breaker });
  return guarded;
}

/** A model by its name is that of the default provider. */
export function modelIn(model: unknown, owner: string): GuardableModel {
  if (isModel(model)) return model;
  const provider: unknown = Reflect.get(globalThis, 'AI_SDK_DEFAULT_PROVIDER');
  const named: unknown = typeof model === 'string' && Object(provider).languageModel?.(model);
  if (isModel(named)) return named;
  throw new GuardInstallError(
    owner,
    `a model object, such as gateway('…'); received ${received(model)}`,
  );
}

/** A long text is no name of a model. */
function received(model: unknown): string {
  return typeof model === 'string' && model.length <= MAX_NAME ? `'${model}'` : describe(model);
}

const MAX_NAME = 100;

function stepOf<T>(
  { modelId }: GuardableModel,
  { context, scopes }: Caller,
  given: ModelParams,
  call: (params: ModelParams) => PromiseLike<T>,
): ModelStep<T> {
  if (context.scope !== undefined) answeredIn(context, given.prompt);
  if (context.isActive) context.attempt('observe', () => scopes.onPrompt?.(given.prompt));
  const params = nudged(given, context);
  const { prompt, maxOutputTokens, abortSignal: signal } = params;
  return {
    model: modelId,
    prompt: promptOf(prompt),
    maxOutputTokens,
    signal,
    open: (abortSignal) => call({ ...asLastAnswer(params, lastAnswerIn(context)), abortSignal }),
  };
}

/** The parameters of a model call, without tools and bounded if it is the last answer of a stopped team. */
export function asLastAnswer(params: ModelParams, last: LastAnswer | undefined): ModelParams {
  if (last === undefined) return params;
  const { tools, toolChoice, maxOutputTokens = last.maxTokens, ...rest } = params;
  const bounded = { ...rest, maxOutputTokens: Math.min(maxOutputTokens, last.maxTokens) };
  return last.text === undefined
    ? bounded
    : { ...bounded, prompt: [...bounded.prompt, asText(last.text)] };
}

/** The parameters of a model call, with the prompt that the guard has for it. */
export function nudged(params: ModelParams, context: Caller['context']): ModelParams {
  const prompt = context.prompt(params.prompt, asText);
  return prompt === params.prompt ? params : { ...params, prompt };
}

/** A message of the guard. */
function asText(told: string): PromptMessage {
  return { role: 'user', content: [{ type: 'text', text: `${NUDGE_AUTHOR}: ${told}` }] };
}
