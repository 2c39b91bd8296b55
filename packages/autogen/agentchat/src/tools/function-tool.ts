import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ToolSchema } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { invalidOption, knownOptions } from '../base/options.ts';
import { checked } from './checked.ts';
import { resultText } from './result-text.ts';
import { type JsonSchema, jsonSchemaOf, type SchemaOutput, strictJsonSchemaOf } from './schema.ts';
import type { BaseTool, ToolCallOptions } from './tool.ts';

/** Options of {@link FunctionTool}. */
export interface FunctionToolOptions<TSchema extends StandardSchemaV1> {
  /** Name of the tool for the model. */
  readonly name: string;
  /** Description for the model. */
  readonly description: string;
  /** Checks the arguments: zod or any Standard Schema. The schema decides about unknown keys. */
  readonly parameters: TSchema;
  /** Executes the call. An error it throws becomes the result the model sees, marked as an error. */
  readonly func: (args: SchemaOutput<TSchema>, options: ToolCallOptions) => unknown;
  /**
   * JSON schema of the parameters, for a schema that cannot describe itself.
   * @defaultValue asked of `parameters`
   */
  readonly jsonSchema?: JsonSchema | undefined;
  /**
   * Whether the provider must enforce the schema.
   * @defaultValue false
   */
  readonly strict?: boolean | undefined;
  /**
   * Converts the result of `func` into the text the model sees.
   * @defaultValue strings as they are, `undefined` as an empty text, anything else as JSON
   */
  readonly returnValueAsString?: ((value: unknown) => string) | undefined;
}

const optionNames: OptionNames<FunctionToolOptions<StandardSchemaV1>> = {
  name: true,
  description: true,
  parameters: true,
  func: true,
  jsonSchema: true,
  strict: true,
  returnValueAsString: true,
};

/**
 * A tool that calls a function.
 *
 * @example
 * ```ts
 * const add = new FunctionTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   parameters: z.object({ a: z.number(), b: z.number() }),
 *   func: ({ a, b }) => a + b,
 * });
 * await add.runJson({ a: 1, b: 2 }); // => 3
 * ```
 */
export class FunctionTool<TSchema extends StandardSchemaV1 = StandardSchemaV1> implements BaseTool {
  readonly name: string;
  readonly description: string;
  readonly schema: ToolSchema;
  readonly returnValueAsString: (value: unknown) => string;
  readonly #parameters: TSchema;
  readonly #func: FunctionToolOptions<TSchema>['func'];

  constructor(options: FunctionToolOptions<TSchema>) {
    const {
      name,
      description,
      parameters,
      func,
      strict = false,
    } = knownOptions('FunctionTool', options, optionNames);
    if (Object(parameters)['~standard'] === undefined) {
      throw invalidOption('parameters', 'a schema such as z.object({ … })', parameters);
    }
    const {
      jsonSchema = (strict ? strictJsonSchemaOf : jsonSchemaOf)(parameters, `tool ${name}`),
      returnValueAsString = resultText,
    } = options;
    if (typeof func !== 'function') throw invalidOption('func', 'a function', func);
    this.name = name;
    this.description = description;
    this.schema = { name, description, parameters: jsonSchema, strict };
    this.returnValueAsString = returnValueAsString;
    this.#parameters = parameters;
    this.#func = func;
  }

  async runJson(args: unknown, options: ToolCallOptions = {}): Promise<unknown> {
    const values = await checked(this.#parameters, args, `${this.name}args`);
    return await this.#func(values, options);
  }
}
