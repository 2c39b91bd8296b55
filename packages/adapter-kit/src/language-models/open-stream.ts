import type { GuardContext } from '../context/guard-context.ts';
import type { ModelCallInfo } from '../models/model-call.ts';
import { type ModelInfo, modelCall } from '../steps/model-call.ts';
import { stream } from '../steps/step.ts';
import { besideText, textOfPart, writtenIn } from './parts.ts';
import type { AnswerPart, ModelStreamAnswer } from './shapes.ts';

/** A model call that answers with a stream. */
export interface StreamedCall extends ModelCallInfo, Pick<ModelInfo<AnswerPart>, 'call' | 'made'> {
  /** Calls the model. */
  readonly open: (signal: AbortSignal | undefined) => PromiseLike<ModelStreamAnswer>;
}

/** An answer whose call was admitted and has begun. */
export interface OpenedStream {
  readonly parts: AsyncGenerator<AnswerPart>;
  /** All other fields of the answer. */
  readonly rest: object;
}

/**
 * Calls a model that streams its answer, and waits until the call has begun.
 *
 * @throws TrippedError when the call is refused; and what the call throws.
 */
export async function openStream(
  context: GuardContext,
  { open, ...info }: StreamedCall,
): Promise<OpenedStream> {
  let rest: object = {};
  let written = '';
  const step = modelCall<AnswerPart, unknown, void>({
    ...info,
    usageOf: ({ usage }) => usage,
    textOf: textOfPart,
    wholeTextOf: (part) => {
      written += writtenIn(part);
      return written;
    },
    besideText,
  });
  const parts = stream(context, step, async function* (signal) {
    const answer = await open(signal);
    const { stream: given, ...others } = answer;
    rest = others;
    yield OPENED;
    yield* given as unknown as AsyncIterable<AnswerPart>;
  });
  await parts.next();
  return { parts, rest };
}

/** Comes before the first part. */
export const OPENED: AnswerPart = { type: 'opened' };

/** Makes a stream of a generator that begins with {@link OPENED}, and starts it: its `finally` runs even if nobody reads. */
export async function begunStream(
  parts: AsyncGenerator<AnswerPart>,
): Promise<ReadableStream<AnswerPart>> {
  await parts.next();
  return streamOf(parts);
}

/** Parts as the stream of an answer. */
export function streamOf(
  parts: Iterable<AnswerPart> | AsyncIterable<AnswerPart>,
): ReadableStream<AnswerPart> {
  return ReadableStream.from(parts) as ReadableStream<AnswerPart>;
}
