import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { z } from 'zod';
import { NotImplementedError } from '../base/errors.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from './component-loader.ts';
import { type ComponentModel, componentModel } from './component-model.ts';
import { modelInfoJson, modelInfoToJson } from './model-info-json.ts';

const PROVIDER = 'autogen_ext.models.openai.OpenAIChatCompletionClient';

/** Config fields that become fields of every request. */
const createArgsSchema = z.object({
  frequency_penalty: z.number().nullable().optional(),
  logit_bias: z.record(z.string(), z.number()).nullable().optional(),
  max_tokens: z.int().nullable().optional(),
  n: z.int().nullable().optional(),
  presence_penalty: z.number().nullable().optional(),
  response_format: z.record(z.string(), z.json()).nullable().optional(),
  seed: z.int().nullable().optional(),
  stop: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .optional(),
  temperature: z.number().nullable().optional(),
  top_p: z.number().nullable().optional(),
  user: z.string().nullable().optional(),
  parallel_tool_calls: z.boolean().nullable().optional(),
  reasoning_effort: z.string().nullable().optional(),
});
const CREATE_ARGS = Object.keys(createArgsSchema.shape);
const NOT_HERE = 'cannot be had here: register a component of your own for this provider';
const configSchema = z.object({
  model: z.string(),
  api_key: z.string().nullable().optional(),
  timeout: z.number().positive().nullable().optional(),
  max_retries: z.int().min(0).nullable().optional(),
  model_info: modelInfoJson.nullable().optional(),
  include_name_in_message: z.boolean().nullable().optional(),
  organization: z.string().nullable().optional(),
  base_url: z.string().nullable().optional(),
  // These change the requests, so they are refused rather than ignored.
  model_capabilities: z.null(NOT_HERE).optional(),
  add_name_prefixes: z.literal(false, NOT_HERE).nullable().optional(),
  default_headers: z.record(z.string(), z.never(NOT_HERE)).nullable().optional(),
});

/** Loads OpenAI clients. A key that is missing or masked is taken from the environment. */
export const openAIClientComponent: ComponentClass<OpenAIChatCompletionClient> = {
  provider: PROVIDER,
  aliases: [
    'OpenAIChatCompletionClient',
    'openai_chat_completion_client',
    'autogen_ext.models.openai._openai_client.OpenAIChatCompletionClient',
  ],
  load: (config) => {
    const title = 'OpenAIClientConfigurationConfigModel';
    const data = validate(configSchema, config, title);
    const createArgs = Object.entries(validate(createArgsSchema, config, title));
    return new OpenAIChatCompletionClient({
      model: data.model,
      apiKey: isMasked(data.api_key) ? undefined : data.api_key,
      timeoutMs: data.timeout ? Math.max(1, Math.round(data.timeout * 1000)) : undefined,
      maxRetries: data.max_retries ?? undefined,
      modelInfo: data.model_info ?? undefined,
      includeNames: data.include_name_in_message ?? undefined,
      organization: data.organization ?? undefined,
      baseURL: data.base_url ?? undefined,
      createArgs: Object.fromEntries(createArgs.filter(([, value]) => value !== null)),
    });
  },
};

/**
 * The dump of an OpenAI client, without its key and the password of its base URL.
 *
 * @throws {@link NotImplementedError} for a client built from a ready one, and for options without a config key.
 */
export function openAIClientModel(client: OpenAIChatCompletionClient): ComponentModel {
  const { createArgs = {}, modelInfo, timeoutMs, ...settings } = client.settings;
  const what = undescribed(client);
  if (what !== undefined) {
    throw new NotImplementedError(
      `This component does not support dumping to config: it was given ${what}`,
    );
  }
  return componentModel(
    { provider: PROVIDER, componentType: 'model' },
    {
      ...createArgs,
      model: settings.model,
      timeout: timeoutMs === undefined ? null : timeoutMs / 1000,
      max_retries: settings.maxRetries,
      model_info: modelInfo && modelInfoToJson(modelInfo),
      include_name_in_message: settings.includeNames,
      organization: settings.organization,
      base_url: settings.baseURL,
    },
  );
}

/** What a client was given that no config can describe. */
function undescribed({ settings, hasReadyClient }: OpenAIChatCompletionClient): string | undefined {
  const { createArgs = {}, maxResponseBytes } = settings;
  const stranger = Object.keys(createArgs).find((name) => !CREATE_ARGS.includes(name));
  if (stranger !== undefined) return `createArgs.${stranger}`;
  if (maxResponseBytes !== undefined) return 'maxResponseBytes';
  return hasReadyClient ? 'a ready client' : undefined;
}

/** AutoGen masks keys with asterisks. */
function isMasked(key: string | null | undefined): key is null | undefined {
  return key === null || key === undefined || /^\**$/.test(key);
}
