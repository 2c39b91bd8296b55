import type { Watch } from '../guard/watch.ts';
import { ModelCall, type ModelOwner } from './model-call.ts';
import { overlay } from './overlay.ts';
import type { ModelAnswer, ModelCallOptions, ModelClient, ModelMessage } from './shapes.ts';

/** A client that asks before each call and tells what it took. */
export function modelTap(watch: Watch, client: ModelClient, owner: ModelOwner): ModelClient {
  const begin = async (
    given: readonly ModelMessage[],
    options: ModelCallOptions,
  ): Promise<ModelCall> => {
    const call = new ModelCall(watch, client.model ?? 'unknown', owner);
    await call.ask(given, options);
    return call;
  };

  return overlay(client, {
    async create(messages, options = {}) {
      if (!watch.isActive) return client.create(messages, options);
      const call = await begin(messages, options);
      try {
        const answer = await client.create(call.messages, options);
        call.answered(answer);
        return answer;
      } catch (error) {
        call.failed(error);
        throw error;
      }
    },
    async *createStream(messages, options = {}) {
      if (!watch.isActive) return yield* client.createStream(messages, options);
      const call = await begin(messages, options);
      try {
        for await (const chunk of client.createStream(call.messages, options)) {
          if (typeof chunk !== 'string' && isAnswer(chunk)) call.answered(chunk);
          yield chunk;
        }
      } catch (error) {
        call.failed(error);
        throw error;
      } finally {
        call.left();
      }
    },
  });
}

function isAnswer(chunk: unknown): chunk is ModelAnswer {
  return typeof chunk === 'object' && chunk !== null && 'usage' in chunk;
}
