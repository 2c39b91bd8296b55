import type {
  ChatCompletionClient,
  CreateOptions,
  CreateResult,
  LLMMessage,
} from '@teamfuse/models';
import { typeText } from '@teamfuse/python-compat';
import { interruptible } from '../async/interruptible.ts';
import { untilAborted } from '../async/until-aborted.ts';
import { AssertionError, RuntimeError } from '../base/errors.ts';
import { ModelClientStreamingChunkEvent } from '../messages/events/model-client-streaming-chunk-event.ts';
import { visibleTo } from './images.ts';

/** One call of an agent to its model. */
export interface ModelCall {
  readonly client: ChatCompletionClient;
  /** `null` sends none. */
  readonly systemMessage: string | null;
  readonly messages: readonly LLMMessage[];
  readonly options: CreateOptions;
  /** Whether to stream the answer; the chunks are yielded as events. */
  readonly stream: boolean;
  /** Source of the chunks. */
  readonly source: string;
  /** Id of the message the chunks belong to; `null` if unknown. */
  readonly messageId: string | null;
}

/** Calls the model, and yields chunks if it streams. */
export async function* callModel({
  client,
  systemMessage,
  messages,
  options,
  stream,
  source,
  messageId: fullMessageId,
}: ModelCall): AsyncGenerator<ModelClientStreamingChunkEvent, CreateResult> {
  const request = visibleTo(
    client,
    systemMessage === null
      ? messages
      : [{ type: 'SystemMessage', content: systemMessage }, ...messages],
  );
  if (!stream) return await answerOf(client, request, options);

  let result: CreateResult | undefined;
  const chunks = generator(client.createStream(request, options));
  for await (const chunk of interruptible(chunks, options.signal)) {
    if (typeof chunk === 'string') {
      yield new ModelClientStreamingChunkEvent({ content: chunk, source, fullMessageId });
    } else if (isResult(chunk)) {
      result = chunk;
    } else {
      throw new RuntimeError(`Invalid chunk type: ${typeText(chunk)}`);
    }
  }
  if (result === undefined) throw new RuntimeError('No final model result in streaming mode.');
  return result;
}

/** Asks a model, and waits no longer than until the signal is aborted: a client of the user's own may ignore it. */
export function answerOf(
  client: ChatCompletionClient,
  messages: readonly LLMMessage[],
  options: CreateOptions,
): Promise<CreateResult> {
  return untilAborted(options.signal, () => client.create(messages, options));
}

async function* generator<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

/** The text of a reply that must not request tools. */
export function textOf({ content }: CreateResult): string {
  if (typeof content === 'string') return content;
  throw new AssertionError('The model asked for tools where it was to answer in text.');
}

/** A custom client may yield anything. */
function isResult(chunk: unknown): chunk is CreateResult {
  return typeof chunk === 'object' && chunk !== null && 'content' in chunk && 'usage' in chunk;
}
