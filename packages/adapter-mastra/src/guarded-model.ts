import { type ModelCall, overlay, streamModel } from '@teamfuse/adapter-kit';
import {
  type AnswerPart,
  type GuardableModel,
  type ModelParams,
  nudged,
  textOfPart,
  tripBehind,
} from '@teamfuse/adapter-kit/language-models';
import type { Work } from './work.ts';

/** An answer of a model of Mastra: a stream, also where it is asked for as a whole. */
interface Answer {
  readonly stream: ReadableStream<AnswerPart>;
}

/**
 * The model of a step. `take` gives the call that was admitted for it; one that is made again after an error is asked for itself.
 */
export function guardedModel(
  model: GuardableModel,
  work: Work,
  take: () => ModelCall | undefined = () => undefined,
): GuardableModel {
  const { context, agent, signal } = work;
  const ask = async (given: ModelParams, open: (params: ModelParams) => PromiseLike<unknown>) => {
    const call = take();
    let answer: Answer | undefined;
    const parts = context.within(work.scope, () =>
      streamModel<AnswerPart, void>(context, {
        agent,
        model: model.modelId,
        prompt: promptOf(given.prompt),
        maxOutputTokens: given.maxOutputTokens,
        signal,
        call,
        async *open(abortSignal) {
          const params = nudged(given, context.takeNudge());
          answer = (await open({ ...params, abortSignal })) as Answer;
          yield OPENED;
          yield* answer.stream as unknown as AsyncIterable<AnswerPart>;
        },
        usageOf: ({ usage }) => usage,
        textOf: textOfPart,
      }),
    );
    try {
      // An error before the first part is that of the call, which the framework may try again.
      await parts.next();
    } catch (error) {
      return { stream: ReadableStream.from([cutOff(error, work, model)]) };
    }
    return { ...answer, stream: ReadableStream.from(heard(parts, work, model)) };
  };
  const changes = {
    doGenerate: (params: ModelParams) => ask(params, (given) => model.doGenerate(given)),
    doStream: (params: ModelParams) => ask(params, (given) => model.doStream(given)),
  };
  return overlay(model, changes as unknown as Partial<GuardableModel>);
}

/** Comes before the first part of an answer, once the call has begun. */
const OPENED: AnswerPart = { type: 'opened' };

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
    for await (const part of parts) {
      text += textOfPart(part);
      if (held.length > 0 || LAST.has(part.type)) held.push(part);
      else yield part;
    }
    if (!context.isActive) text = '';
    if (router !== undefined) await router.said(text);
    else if (text !== '') {
      context.within(scope, () =>
        context.observe({ kind: 'message', ...context.originOf(agent), text }),
      );
    }
    yield* held;
  } catch (error) {
    yield cutOff(error, work, model);
  }
}

const LAST: ReadonlySet<string> = new Set(['tool-call', 'finish']);

const NONE = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };

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
          usage: { inputTokens: NONE, outputTokens: NONE },
        }),
  };
}

/** The texts of a prompt, to be counted. */
export function promptOf(
  messages: readonly { readonly content: unknown }[],
): readonly { readonly content: string }[] {
  return messages.map(({ content }) => ({
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }));
}
