import {
  ReplayChatCompletionClient,
  type ReplayResult,
  type Reply,
  type RequestUsage,
} from '@teamfuse/models';
import { z } from 'zod';
import { NotImplementedError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { validate } from '../base/validate.ts';
import { functionCallsJson, functionCallToJson } from '../messages/llm-json.ts';
import { usageFromJson, usageJson, usageToJson } from '../messages/usage-json.ts';
import type { ComponentClass } from './component-loader.ts';
import { type ComponentModel, componentModel } from './component-model.ts';
import { modelInfoJson, modelInfoToJson } from './model-info-json.ts';

const PROVIDER = 'autogen_ext.models.replay.ReplayChatCompletionClient';
const resultSchema = z.object({
  finish_reason: z.enum(['stop', 'length', 'function_calls', 'content_filter', 'unknown']),
  content: z.union([z.string(), functionCallsJson]),
  usage: usageJson,
  cached: z.boolean(),
  thought: z.string().nullable().optional(),
});
const configSchema = z.object({
  chat_completions: z.array(z.union([z.string(), resultSchema])),
  model_info: modelInfoJson.nullable().optional(),
  // AutoGen's client ignores this name.
  model: z.string().optional(),
});

const NO_USAGE: RequestUsage = { promptTokens: 0, completionTokens: 0 };

/** Loads scripted clients; the script restarts. */
export const replayClientComponent: ComponentClass<ReplayChatCompletionClient> = {
  provider: PROVIDER,
  aliases: ['autogen_ext.models.replay._replay_chat_completion_client.ReplayChatCompletionClient'],
  load: (config) => {
    const { chat_completions, model_info, model } = validate(
      configSchema,
      config,
      'ReplayChatCompletionClientConfig',
    );
    return new ReplayChatCompletionClient(chat_completions.map(replyFromJson), {
      ...(model_info && { modelInfo: model_info }),
      ...(model !== undefined && { model }),
    });
  },
};

/**
 * The dump of a scripted client.
 *
 * @throws {@link NotImplementedError} for errors and broken streams among the replies.
 */
export function replayClientModel(client: ReplayChatCompletionClient): ComponentModel {
  return componentModel(
    { provider: PROVIDER, componentType: 'replay_chat_completion_client' },
    {
      chat_completions: client.replies.map(replyToJson),
      model_info: modelInfoToJson(client.modelInfo),
      model: client.model === 'replay' ? null : client.model,
    },
  );
}

function replyFromJson(reply: string | z.output<typeof resultSchema>): Reply {
  if (typeof reply === 'string') return reply;
  const { finish_reason, content, usage, cached, thought } = reply;
  return {
    finishReason: finish_reason,
    content,
    usage: usageFromJson(usage) ?? NO_USAGE,
    cached,
    ...(thought !== undefined && { thought }),
  };
}

function replyToJson(reply: Reply): string | JsonObject {
  if (typeof reply === 'string') return reply;
  if (reply instanceof Error || reply.chunks !== undefined || reply.omitResult) {
    throw new NotImplementedError(
      'This component does not support dumping to config: a reply is neither a text nor a plain result',
    );
  }
  const { content, usage = NO_USAGE, thought = null, cached = false }: ReplayResult = reply;
  const isText = typeof content === 'string';
  return {
    finish_reason: reply.finishReason ?? (isText ? 'stop' : 'function_calls'),
    content: isText ? content : content.map(functionCallToJson),
    usage: usageToJson(usage),
    cached,
    thought,
  };
}
