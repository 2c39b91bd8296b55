import type { OpenAI } from 'openai';
import type { CreateOptions, JsonOutputSchema, ModelInfo, ToolSchema } from '../client.ts';
import { ModelClientError } from '../errors.ts';

type WireOptions = Pick<
  OpenAI.ChatCompletionCreateParams,
  'tools' | 'tool_choice' | 'response_format'
>;

/** Writes the options of a call as fields of the request, after checking that the model can do it. */
export function toWireOptions(
  { tools = [], toolChoice = 'auto', jsonOutput = false, extraCreateArgs }: CreateOptions,
  modelInfo: ModelInfo,
): WireOptions {
  return {
    ...(tools.length > 0 && toolFields(tools, toolChoice, modelInfo)),
    ...(jsonOutput !== false && { response_format: responseFormat(jsonOutput, modelInfo) }),
    ...extraCreateArgs,
  };
}

function toolFields(
  tools: readonly ToolSchema[],
  toolChoice: NonNullable<CreateOptions['toolChoice']>,
  { functionCalling }: ModelInfo,
): WireOptions {
  if (!functionCalling) unsupported('call functions', 'functionCalling');
  return { tools: tools.map(toWireTool), tool_choice: toWireChoice(toolChoice, tools) };
}

function toWireTool({
  name,
  description,
  parameters,
  strict,
}: ToolSchema): OpenAI.ChatCompletionTool {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(parameters !== undefined && { parameters }),
      ...(strict !== undefined && { strict }),
    },
  };
}

function toWireChoice(
  choice: NonNullable<CreateOptions['toolChoice']>,
  tools: readonly ToolSchema[],
): OpenAI.ChatCompletionToolChoiceOption {
  if (typeof choice === 'string') return choice;
  if (!tools.some(({ name }) => name === choice.name)) {
    throw new ModelClientError(
      'INVALID_OPTION',
      `option 'toolChoice': expected the name of one of the tools, received '${choice.name}'`,
    );
  }
  return { type: 'function', function: { name: choice.name } };
}

function responseFormat(
  jsonOutput: true | JsonOutputSchema,
  modelInfo: ModelInfo,
): NonNullable<WireOptions['response_format']> {
  if (jsonOutput === true) {
    if (!modelInfo.jsonOutput) unsupported('answer in JSON', 'jsonOutput');
    return { type: 'json_object' };
  }
  if (!modelInfo.structuredOutput) unsupported('follow a JSON schema', 'structuredOutput');
  const { name, schema } = jsonOutput;
  return { type: 'json_schema', json_schema: { name, schema, strict: true } };
}

function unsupported(what: string, field: keyof ModelInfo): never {
  throw new ModelClientError('UNSUPPORTED', `the model cannot ${what} (modelInfo.${field})`);
}
