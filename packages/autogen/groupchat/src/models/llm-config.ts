import type { ChatCompletionClient, ToolSchema } from '@teamfuse/models';
import type { OptionAdvice, OptionNames } from '@teamfuse/python-compat';

import { invalidOption } from '../errors.ts';
import { knownOptions } from '../option-names.ts';

/** The model of an agent, and the tools offered to it. */
export interface LlmConfig {
  readonly client: ChatCompletionClient;
  /** Tools the model may ask for. */
  readonly tools?: readonly ToolSchema[];
  /** Functions the model may ask for; a call of one is answered in the older `function_call` form. */
  readonly functions?: readonly ToolSchema[];
  /** Dollars per 1,000 tokens: of the prompt, of the completion. Without it costs are unknown. */
  readonly price?: readonly [promptUsd: number, completionUsd: number];
  /**
   * Fills `{key}` in string contents with the values of a message's `context`.
   * @defaultValue false
   */
  readonly allowFormatStrTemplate?: boolean;
  /** Further fields of every request, such as `temperature`. */
  readonly extraCreateArgs?: Readonly<Record<string, unknown>>;
}

const llmConfigNames: OptionNames<LlmConfig> = {
  client: true,
  tools: true,
  functions: true,
  price: true,
  allowFormatStrTemplate: true,
  extraCreateArgs: true,
};

const asClient =
  'models are clients here: { client: new OpenAIChatCompletionClient({ model, apiKey, baseURL }) }';
const asCreateArg = 'put it into `extraCreateArgs`';

const llmConfigAdvice: OptionAdvice = {
  config_list: asClient,
  configList: asClient,
  model: asClient,
  api_key: asClient,
  apiKey: asClient,
  base_url: asClient,
  baseUrl: asClient,
  api_type: asClient,
  api_version: asClient,
  cache: 'keep a cache in the client',
  cache_seed: 'keep a cache in the client',
  timeout: 'set it where the client is made',
  temperature: asCreateArg,
  top_p: asCreateArg,
  max_tokens: asCreateArg,
  seed: asCreateArg,
  stop: asCreateArg,
};

/** Returns the config of a model; rejects unknown fields, and one without a client. */
export function checkLlmConfig(config: LlmConfig): LlmConfig {
  const { client } = knownOptions('llmConfig', config, llmConfigNames, llmConfigAdvice);
  if (typeof client?.create === 'function') return config;
  throw invalidOption('llmConfig.client', 'a ChatCompletionClient', client);
}
