import { ModelClientError } from '../errors.ts';
import { kindOf } from './wire-fields.ts';

/** Fields of every request, under AutoGen's names in camelCase. The server decides which values it accepts. */
export interface CreateArgOptions {
  readonly frequencyPenalty?: number | undefined;
  readonly logitBias?: Readonly<Record<string, number>> | undefined;
  /** How many tokens an answer may have. */
  readonly maxTokens?: number | undefined;
  readonly n?: number | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly presencePenalty?: number | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly responseFormat?: Readonly<Record<string, unknown>> | undefined;
  readonly seed?: number | undefined;
  readonly stop?: string | readonly string[] | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly user?: string | undefined;
}

const WIRE_NAMES: Readonly<Record<keyof CreateArgOptions, string>> = {
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  maxTokens: 'max_tokens',
  n: 'n',
  parallelToolCalls: 'parallel_tool_calls',
  presencePenalty: 'presence_penalty',
  reasoningEffort: 'reasoning_effort',
  responseFormat: 'response_format',
  seed: 'seed',
  stop: 'stop',
  temperature: 'temperature',
  topP: 'top_p',
  user: 'user',
};

const KINDS = {
  apiKey: 'string',
  baseURL: 'string',
  organization: 'string',
  modelInfo: 'object',
  includeNames: 'boolean',
  createArgs: 'object',
  client: 'object',
} as const;

const EXPECTED = { string: 'text', object: 'an object', boolean: 'true or false' } as const;

/** Where options of AutoGen's client went that have another name here. */
const ADVICE: Readonly<Record<string, string>> = {
  timeout: "it is called 'timeoutMs' here, in milliseconds",
  include_name_in_message: "it is called 'includeNames' here",
  default_headers: "give a ready 'client' of the openai package",
};

/**
 * Splits the fields of every request off the other options, of which `known` are all there are.
 *
 * @throws {@link ModelClientError} for an option that does not exist
 */
export function splitCreateArgs<T extends { readonly createArgs?: object | undefined }>(
  options: T & CreateArgOptions,
  known: Readonly<Record<string, true>>,
): Omit<T, keyof CreateArgOptions> {
  checkOptions(options);
  for (const [name, kind] of Object.entries(KINDS))
    checkKind(name, kind, Reflect.get(options, name));
  const args: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (isCreateArg(name)) {
      if (value !== undefined) args[WIRE_NAMES[name]] = value;
    } else if (Object.hasOwn(known, name)) others[name] = value;
    else throw unknownOption(name, known);
  }
  if (Object.keys(args).length > 0) others.createArgs = { ...args, ...options.createArgs };
  return others as Omit<T, keyof CreateArgOptions>;
}

function checkOptions(options: unknown): void {
  const { model } = Object(options) as { readonly model?: unknown };
  if (typeof model === 'string' && model !== '') return;
  const example = "{ model: 'gpt-4o-mini' }";
  throw new ModelClientError(
    'INVALID_OPTION',
    `OpenAIChatCompletionClient: expected options with the name of a model, such as ${example}`,
  );
}

function checkKind(name: string, kind: keyof typeof EXPECTED, value: unknown): void {
  if (value === undefined || (typeof value === kind && value !== null)) return;
  const problem = `option '${name}': expected ${EXPECTED[kind]}, received ${kindOf(value)}`;
  throw new ModelClientError('INVALID_OPTION', problem);
}

function isCreateArg(name: string): name is keyof CreateArgOptions {
  return Object.hasOwn(WIRE_NAMES, name);
}

function unknownOption(name: string, known: Readonly<Record<string, true>>): ModelClientError {
  const same = [...Object.keys(known), ...Object.keys(WIRE_NAMES)].find(
    (one) => one.toLowerCase() === name.replaceAll('_', '').toLowerCase(),
  );
  const advice = Object.hasOwn(ADVICE, name) ? ADVICE[name] : undefined;
  const told =
    advice ??
    (same !== undefined
      ? `it is called '${same}' here`
      : "fields of the request that have no option belong into 'createArgs'");
  return new ModelClientError(
    'INVALID_OPTION',
    `OpenAIChatCompletionClient: there is no option '${name}'; ${told}`,
  );
}
