import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { ToolSchema } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { GroupChatError, invalidOption, invalidValue } from '../errors.ts';
import { knownOptions } from '../option-names.ts';
import type { ToolArguments, ToolCallOptions, ToolFunction } from './execute-function.ts';

/** A tool as it is offered to a model. */
export interface ToolSignature<TSchema extends StandardSchemaV1 = StandardSchemaV1> {
  readonly name: string;
  readonly description: string;
  /** Describes and checks the arguments: zod or any Standard Schema. */
  readonly parameters: TSchema;
  /**
   * The JSON schema of the arguments, for a schema that cannot describe itself.
   * @defaultValue asked of `parameters`
   */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
}

/** A tool as it is executed. */
export interface ToolBody<TSchema extends StandardSchemaV1 = StandardSchemaV1> {
  readonly name: string;
  /** Checks the arguments before they reach the function. */
  readonly parameters: TSchema;
  readonly func: (
    args: StandardSchemaV1.InferOutput<TSchema>,
    options?: ToolCallOptions,
  ) => unknown;
}

/** A tool as it is offered and executed. */
export interface Tool<TSchema extends StandardSchemaV1 = StandardSchemaV1>
  extends ToolSignature<TSchema>,
    ToolBody<TSchema> {}

function checkSchema(parameters: unknown): void {
  if (Object(parameters)['~standard'] !== undefined) return;
  throw invalidOption('parameters', 'a schema such as z.object({ … })', parameters);
}

/** Offers a tool to an agent's model. */
export function offerTool({ client, io }: ConversableAgent, signature: ToolSignature): void {
  if (!client) {
    throw new GroupChatError(
      'INVALID_USE',
      'To update a tool signature, agent must have an llm_config',
    );
  }
  if (client.offer(toolSchema(signature))) io.warn(overridden(signature.name));
}

/** Lets an agent execute a tool. */
export function equipWithTool<TSchema extends StandardSchemaV1>(
  { functionMap, io }: ConversableAgent,
  body: ToolBody<TSchema>,
): void {
  knownOptions('tool', body, toolNames);
  checkToolName(body.name);
  checkSchema(body.parameters);
  if (functionMap.has(body.name)) io.warn(overridden(body.name));
  functionMap.set(body.name, checkedFunction(body));
}

function overridden(name: string): string {
  return `Function '${name}' is being overridden.`;
}

const toolNames: OptionNames<Tool> = {
  name: true,
  description: true,
  parameters: true,
  jsonSchema: true,
  func: true,
};

function toolSchema(signature: ToolSignature): ToolSchema {
  const { name, description, parameters, jsonSchema } = knownOptions('tool', signature, toolNames);
  checkToolName(name);
  if (!description) {
    throw invalidValue('Function description is required, none found.');
  }
  checkSchema(parameters);
  return { name, description, parameters: jsonSchema ?? describe(name, parameters) };
}

// Returns the function with a check of its arguments in front.
function checkedFunction<TSchema extends StandardSchemaV1>({
  parameters,
  func,
}: ToolBody<TSchema>): ToolFunction {
  return async (args: ToolArguments, options?: ToolCallOptions) => {
    const result = await parameters['~standard'].validate(args);
    if (result.issues === undefined) {
      return func(result.value as StandardSchemaV1.InferOutput<TSchema>, options);
    }
    throw new TypeError(result.issues.map(issueText).join('; '));
  };
}

/** Rejects names that providers do not accept. */
export function checkToolName(name: string): void {
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
    throw invalidValue(`Invalid name: ${name}. Only letters, numbers, '_' and '-' are allowed.`);
  }
  if (name.length > 64) {
    throw invalidValue(`Invalid name: ${name}. Name must be less than 64 characters.`);
  }
}

function describe(name: string, schema: StandardSchemaV1): Readonly<Record<string, unknown>> {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> =
    schema['~standard'];
  if (standard.jsonSchema === undefined) {
    throw invalidValue(
      `tool ${name}: the schema (vendor ${standard.vendor}) cannot describe itself as JSON schema; give jsonSchema as well`,
    );
  }
  const { $schema, ...described } = standard.jsonSchema.input({ target: 'draft-2020-12' });
  return described;
}

function issueText({ message, path = [] }: StandardSchemaV1.Issue): string {
  const place = path.map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return place.length === 0 ? message : `${place.map(String).join('.')}: ${message}`;
}
