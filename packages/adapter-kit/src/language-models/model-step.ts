import type { Trip } from '@teamfuse/core';
import { tripIn } from '../context/trip-in.ts';
import type { ModelCallInfo } from '../models/model-call.ts';
import { callModel } from '../steps/call-model.ts';
import { streamModel } from '../steps/stream-model.ts';
import type { Caller } from './caller.ts';
import type { AnswerPart, ModelAnswer, ModelStreamAnswer } from './shapes.ts';

/** What all steps of a run have in common. */
export type RunKey = object | string | undefined;

/** A model call, whatever way it is made. */
export interface ModelStep<T> extends Omit<ModelCallInfo, 'agent'> {
  /** Calls the model. */
  readonly open: (signal: AbortSignal | undefined) => PromiseLike<T>;
}

/** Asks for an answer that is whole. A run that has an answer ends with what it has; one that has none is refused. */
export function wholeStep(
  caller: Caller,
  key: RunKey,
  stepOf: () => ModelStep<ModelAnswer>,
): Promise<ModelAnswer> {
  const { context, agent } = caller;
  return at(caller, key, async () => {
    const step = stepOf();
    const { open, ...info } = step;
    try {
      const work = async (signal?: AbortSignal): Promise<ModelAnswer> => open(signal);
      const usageOf = ({ usage }: ModelAnswer): object => usage;
      const answer = await callModel(context, { ...info, agent, work, usageOf });
      heard(caller, key, answer.content);
      return answer;
    } catch (error) {
      const hasAnswer = context.scope?.local?.hasAnswer === true;
      const trip = hasAnswer ? tripBehind(error, step.signal) : undefined;
      if (trip === undefined) throw error;
      return { content: [], warnings: [], ...ending(trip) } as ModelAnswer;
    }
  });
}

/** Asks for an answer that is streamed. Its reader has a result already: a run that is stopped ends with what it has. */
export function streamedStep(
  caller: Caller,
  key: RunKey,
  stepOf: () => ModelStep<ModelStreamAnswer>,
): Promise<ModelStreamAnswer> {
  const { context, agent } = caller;
  return at(caller, key, async () => {
    const step = stepOf();
    const { open, ...info } = step;
    const { scope } = context;
    let rest: object = {};
    const parts = streamModel<AnswerPart, void>(context, {
      ...info,
      agent,
      async *open(signal) {
        const { stream, ...others } = await open(signal);
        rest = others;
        yield OPENED;
        yield* stream as unknown as AsyncIterable<AnswerPart>;
      },
      usageOf: ({ usage }) => usage,
      textOf: textOfPart,
    });
    try {
      // Nothing is handed out before the call is admitted and begun.
      await parts.next();
    } catch (error) {
      return { stream: streamOf(final(step, error)) };
    }
    const handed = async function* (): AsyncGenerator<AnswerPart> {
      const said: AnswerPart[] = [];
      try {
        for await (const part of parts) {
          if (part.type === 'text-delta' || part.type === 'tool-call') said.push(part);
          if (part.type === 'finish') context.within(scope, heard, caller, key, said);
          yield part;
        }
      } catch (error) {
        yield* final(step, error);
      }
    };
    return { ...rest, stream: streamOf(handed()) };
  });
}

/** Comes before the first part of a stream, once it has begun. */
const OPENED: AnswerPart = { type: 'opened' };

function at<T>(
  { context, places, agent }: Caller,
  key: RunKey,
  work: () => Promise<T>,
): Promise<T> {
  return context.within(context.isActive ? places.ofModel(key, agent) : undefined, work);
}

/** The current run has an answer: reports what it says. */
function heard(
  { context, agent, places }: Caller,
  key: RunKey,
  parts: readonly AnswerPart[],
): void {
  if (!context.isActive) return;
  const { local } = context.scope ?? {};
  if (local !== undefined) local.hasAnswer = true;
  const text = parts.map(textOfPart).join('');
  if (text !== '') context.observe({ kind: 'message', ...context.originOf(agent), text });
  const calls = parts.filter(({ type }) => type === 'tool-call');
  places.answered?.(
    key,
    calls.map(({ toolCallId }) => String(toolCallId)),
  );
}

/** What a part of an answer says. */
export function textOfPart({ type, text, delta }: AnswerPart): string {
  // In a whole answer and in a streamed one.
  const said = type === 'text' ? text : type === 'text-delta' ? delta : '';
  return typeof said === 'string' ? said : '';
}

/** The trip behind an error that is not the caller's doing. */
export function tripBehind(error: unknown, signal: AbortSignal | undefined): Trip | undefined {
  return signal?.aborted ? undefined : tripIn(error);
}

/** The parts of an answer that ends a stopped run. It asks for nothing. */
function final<T>(step: ModelStep<T>, error: unknown): readonly AnswerPart[] {
  const trip = tripBehind(error, step.signal);
  if (trip === undefined) throw error;
  return [{ type: 'finish', ...ending(trip) }];
}

const NOTHING = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };

function ending({ kind, reason }: Trip) {
  return {
    finishReason: { unified: 'other', raw: `teamfuse: ${reason}` },
    usage: { inputTokens: NOTHING, outputTokens: NOTHING },
    providerMetadata: { teamfuse: { kind, reason } },
  };
}

function streamOf(parts: Iterable<AnswerPart> | AsyncIterable<AnswerPart>) {
  return ReadableStream.from(parts) as ReadableStream<AnswerPart>;
}
