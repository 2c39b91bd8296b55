import { lastAnswerIn, type ModelCall, overlay } from '@teamfuse/adapter-kit';
import {
  type AnswerPart,
  askedFor,
  asLastAnswer,
  begunStream,
  type GuardableModel,
  type ModelParams,
  type ModelStreamAnswer,
  NO_USAGE,
  nudged,
  OPENED,
  openStream,
  promptOf,
  type StreamedCall,
  streamOf,
  textOfPart,
  tripBehind,
} from '@teamfuse/adapter-kit/language-models';
import type { Work } from './work.ts';

/**
 * The model of a step. `take` gives the call that was admitted for it; one that is made again after an error is asked for itself.
 */
export function guardedModel(
  model: GuardableModel,
  work: Work,
  take: () => ModelCall | undefined = () => undefined,
): GuardableModel {
  const { context, agent, scope, signal, made } = work;
  const ask = async (given: ModelParams, open: (params: ModelParams) => PromiseLike<unknown>) => {
    const call: StreamedCall = {
      agent,
      model: model.modelId,
      prompt: promptOf(given.prompt),
      maxOutputTokens: given.maxOutputTokens,
      signal,
      call: take(),
      made,
      canBeLast: work.router === undefined,
      // Mastra streams an answer, also where it is asked for as a whole.
      open: (abortSignal) =>
        open({
          ...asLastAnswer(nudged(given, context), lastAnswerIn(context)),
          abortSignal,
        }) as Promise<ModelStreamAnswer>,
    };
    try {
      const { parts, rest } = await context.within(scope, () => openStream(context, call));
      return { ...rest, stream: await begunStream(heard(parts, work, model)) };
    } catch (error) {
      // An error that no stop caused is thrown on: the framework may try the call again.
      return { stream: streamOf([cutOff(error, work, model)]) };
    }
  };
  const changes = {
    doGenerate: (params: ModelParams) => ask(params, (given) => model.doGenerate(given)),
    doStream: (params: ModelParams) => ask(params, (given) => model.doStream(given)),
  };
  return overlay(model, changes as unknown as Partial<GuardableModel>);
}

/**
 * Reports what is said. An answer that a stop cuts off ends with what has come of it. Calls of tools wait for the end of the answer:
 * the framework runs them at once, and only then is it known what the answer took.
 */
async function* heard(
  parts: AsyncIterable<AnswerPart>,
  work: Work,
  model: GuardableModel,
): AsyncGenerator<AnswerPart> {
  const { context, agent, scope, router } = work;
  const held: AnswerPart[] = [];
  let text = '';
  try {
    yield OPENED;
    for await (const part of parts) {
      text += textOfPart(part);
      if (held.length > 0 || LAST.has(part.type)) held.push(part);
      else yield part;
    }
    const calls = held.filter(({ type }) => type === 'tool-call');
    context.within(scope, () => askedFor(context, agent, calls));
    if (router === undefined) context.within(scope, () => context.reportAnswer(text, agent));
    else if (context.isActive) await router.said(text);
    yield* held;
  } catch (error) {
    yield cutOff(error, work, model);
  }
}

const LAST: ReadonlySet<string> = new Set(['tool-call', 'finish']);

/**
 * The end of an answer that a stop cut off. With any other reason than `stop`, the framework takes an answer without a word for an error,
 * and loses the steps before it.
 */
function cutOff(
  error: unknown,
  { signal, router }: Work,
  { specificationVersion }: GuardableModel,
): AnswerPart {
  const trip = tripBehind(error, signal);
  if (trip === undefined) throw error;
  router?.stopped(trip.reason);
  const isOld = specificationVersion === 'v2';
  return {
    type: 'finish',
    ...(isOld
      ? { finishReason: 'stop', usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } }
      : {
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: NO_USAGE,
        }),
  };
}
